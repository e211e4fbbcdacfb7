// Search from the disk. Browsers start no worker from file:, so there its script runs in a hidden frame of the page.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = "<!doctype html><title>Search</title>";
      this.ready = new Promise((done) => this.frame.addEventListener("load", () => this.start(address, done), { once: true }));
      document.body.append(this.frame);
    }

    start(address, done) {
      const { contentWindow: inside, contentDocument: page } = this.frame;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = page.createElement("script");
      script.src = new URL(address, location.href);
      script.addEventListener("load", () => done(inside));
      page.body.append(script);
    }

    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }
  };
}
