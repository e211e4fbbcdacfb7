/** Sounds, made by the browser itself: off until the reader switches them on, which this browser remembers. */

const KEY = "zermelo-sound";
const VOLUME = 0.35;

let on = remembered();
let context = null;

/** Let a button switch the sounds on and off. */
export function switchSound(button) {
  const draw = () => {
    button.setAttribute("aria-pressed", on);
    button.title = on ? "Sound is on" : "Sound is off";
  };
  button.addEventListener("click", () => {
    on = !on;
    draw();
    try {
      localStorage.setItem(KEY, on ? "on" : "off");
    } catch {
      // a browser that keeps nothing is silent after a reload
    }
    sound("place");
  });
  draw();
}

/** What is heard, by name: a list of knocks and notes, each with its delay in seconds. */
const SOUNDS = {
  place: [[0, knock, 320]],
  move: [[0, knock, 260], [0.05, knock, 200]],
  capture: [[0, knock, 200], [0.06, knock, 150], [0.09, knock, 420]],
  drop: [[0.2, knock, 180], [0.27, knock, 240]],
  sow: [[0, knock, 420], [0.09, knock, 380], [0.18, knock, 440]],
  dice: [[0, knock, 700], [0.08, knock, 520], [0.19, knock, 640], [0.33, knock, 480], [0.5, knock, 560]],
  win: [[0, note, 523], [0.12, note, 659], [0.24, note, 784]],
  loss: [[0, note, 392], [0.16, note, 311]],
  draw: [[0, note, 440], [0.14, note, 440]],
};

/** Play a sound, where sounds are on and the browser can. */
export function sound(name) {
  if (!on || !globalThis.AudioContext) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  for (const [delay, make, pitch] of SOUNDS[name]) make(pitch, context.currentTime + delay);
}

/** A piece of wood on wood: a low tone that dies at once, and the click of the touch. */
function knock(pitch, at) {
  tone("triangle", pitch, at, 0.09, VOLUME);
  const noise = context.createBufferSource();
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: 4 * pitch, Q: 1.2 });
  noise.buffer = hiss();
  noise.connect(filter).connect(fading(at, 0.03, VOLUME));
  noise.start(at);
}

function note(pitch, at) {
  tone("sine", pitch, at, 0.35, 0.6 * VOLUME);
}

function tone(type, frequency, at, seconds, volume) {
  const source = new OscillatorNode(context, { type, frequency });
  source.connect(fading(at, seconds, volume));
  source.start(at);
  source.stop(at + seconds);
}

function fading(at, seconds, volume) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  gain.connect(context.destination);
  return gain;
}

let noiseBuffer = null;

function hiss() {
  if (noiseBuffer) return noiseBuffer;
  noiseBuffer = context.createBuffer(1, Math.round(0.05 * context.sampleRate), context.sampleRate);
  const samples = noiseBuffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
  return noiseBuffer;
}

function remembered() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}
