"""Models of the API: what requests may ask, within limits, and what they get. OpenAPI is generated from them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from zermelo.app.options import Cut, Fail, Repetition, Style
from zermelo.play.levels import FULL_STRENGTH
from zermelo.play.move_choice import Source

MAX_MOVE_SECONDS = 60
MAX_ANALYSIS_SECONDS = 600
MAX_DEPTH = 200
MAX_TREE_DEPTH = 40
MAX_LINES = 1000
MAX_THREADS = 256
MAX_RECORD_LENGTH = 12_000

Seconds = Annotated[float, Field(gt=0, le=MAX_MOVE_SECONDS, description="How long the engine may think.")]
Depth = Annotated[int, Field(ge=1, le=MAX_DEPTH, description="Plies to look ahead.")]
Level = Annotated[
    int, Field(ge=1, le=FULL_STRENGTH, description="The engine's strength: 1 is a beginner, 10 is full strength.")
]


# -- requests --------------------------------------------------------------------------------------------------------


class EmptyQuery(BaseModel):
    """A request without parameters."""

    model_config = ConfigDict(extra="forbid")


class PositionQuery(BaseModel):
    """A position: the game, where it started, and the moves since."""

    model_config = ConfigDict(allow_inf_nan=False, extra="forbid")

    game: str = Field("", max_length=4000, description="A game that is served, with parameters; '' is the first.")
    start: str = Field("", max_length=2000, description="A state in the game's notation; '' is the initial one.")
    moves: str = Field("", max_length=8000, description="Moves in the game's notation, with spaces between them.")


class MoveQuery(PositionQuery):
    """The engine's move in a position."""

    seconds: Seconds | None = None
    depth: Depth | None = None
    style: Style = Style.exact
    level: Level = FULL_STRENGTH
    seed: int | None = Field(None, ge=0, lt=1 << 31, description="Seed by which a level below 10 draws its moves.")


class AnalysisQuery(PositionQuery):
    """The analysis of a position."""

    seconds: float = Field(60, gt=0, le=MAX_ANALYSIS_SECONDS, description="How long the search may take.")
    depth: Depth | None = None
    lines: int = Field(1, ge=1, le=MAX_LINES, description="How many moves get a value and a line.")
    threads: int = Field(1, ge=1, le=MAX_THREADS, description="How many threads search, at most those of the server.")


class RecordFormat(StrEnum):
    """The formats of records that games have of their own."""

    pgn = "pgn"
    pdn = "pdn"
    sgf = "sgf"
    ggf = "ggf"
    mat = "mat"


class ExportQuery(PositionQuery):
    """A game as text; `moves` are not read, but `lines`."""

    format: RecordFormat
    lines: str = Field(
        "", max_length=16000, description="The lines of the game, one in each line, the main line first."
    )
    comments: str = Field(
        "",
        max_length=MAX_RECORD_LENGTH,
        description="Comments, one in each line: the moves up to the one commented, a tab, and the comment.",
    )


class ImportQuery(BaseModel):
    """A text with a game in its own notation."""

    model_config = ConfigDict(extra="forbid")

    format: RecordFormat
    text: str = Field(max_length=MAX_RECORD_LENGTH, description="The text; the first game of it is read.")
    game: str = Field("", max_length=4000, description="The game that is meant where the text does not name one.")


class MatchQuery(PositionQuery):
    """A match of two engines from a position."""

    first: Level = 3
    second: Level = 5
    games: int = Field(2, ge=1, le=200, description="How many games; colours are swapped after each.")
    seed: int = Field(0, ge=0, lt=1 << 31, description="Seed of openings, dice and levels.")


class SocketMessage(AnalysisQuery):
    """A message of a client on the socket."""

    stop: bool = False


class Order(StrEnum):
    """In which order the moves of a tree are tried: by the game's own rule, or by their true values."""

    game = "game"
    best = "best"
    worst = "worst"


class TreeQuery(PositionQuery):
    """A textbook algorithm on a position, step by step."""

    algorithm: str = Field("alphabeta", max_length=40, description="One of the textbook algorithms.")
    depth: int | None = Field(
        None, ge=0, le=MAX_TREE_DEPTH, description="Plies; as deep as the game goes if not given."
    )
    fit: bool = Field(False, description="Search less deep where the tree would be too large to read.")
    fail: Fail | None = None
    cut: Cut | None = None
    order: Order | None = None
    repetition: Repetition | None = None
    window: str = Field("", max_length=60, description="Alpha and beta at the root, LOW,HIGH; '' is open.")
    boards: bool = Field(False, description="Draw the boards of positions inside the nodes.")
    fold: bool = Field(False, description="Draw symmetric siblings as one node.")
    unfold: str = Field(
        "",
        max_length=200,
        pattern=r"^(\d{1,4}(,\d{1,4})*)?$",
        description="Nodes whose successors are not folded, N,N.",
    )


# -- responses -------------------------------------------------------------------------------------------------------


class Error(BaseModel):
    """Why there is no answer, in a sentence."""

    detail: str


class Parameter(BaseModel):
    name: str
    type: str
    default: Any = None


class GameRecord(BaseModel):
    name: str
    title: str
    usage: str
    description: str
    parameters: list[Parameter]
    database: bool
    category: str
    rank: int = Field(description="The place of the game in the gallery.")
    chance: bool
    book: bool


class GamesRecord(BaseModel):
    games: list[GameRecord]
    default: str
    version: str
    threads: int = Field(description="How many threads an analysis may use.")


class Outcome(BaseModel):
    winner: int | None
    words: str
    reason: str = Field(description="Why the game is over, as in `by checkmate`; '' where the rules declare the end.")
    share: float = Field(description="What the result is worth to the first player, from 0 to 1.")


class Legal(BaseModel):
    """A legal move, or an outcome of chance with its probability, and the squares to click in their order."""

    text: str
    squares: list[int]
    probability: float | None
    label: str


class Turn(BaseModel):
    text: str
    player: int
    chance: bool
    squares: list[int]


class Board(BaseModel):
    kind: str
    drop: bool
    columns: int | None
    steps: bool
    alike: dict[str, int] = Field(description="Squares that stand for others, as a pile for one that is as large.")
    sides: list[str] | None = Field(description="What the players are called, where they have names.")
    turns: bool = Field(description="Whether the board has two sides, so that it may be turned round.")
    first_on_top: bool = Field(description="Whether the first player begins at the top of the board.")
    mates: bool = Field(description="Whether games end by mate, as in chess.")


class PositionRecord(BaseModel):
    game: str
    source: str
    title: str
    start: str
    moves: list[str]
    state: str
    player: int
    chance: bool
    outcome: Outcome | None
    legal: list[Legal]
    history: list[Turn]
    last: list[int]
    board: Board
    svg: str
    text: str
    loops: bool
    chances: bool
    database: bool
    formats: list[str] = Field(description="The formats of records in which the game can be written, as `pgn`.")


class Tone(StrEnum):
    win = "win"
    draw = "draw"
    loss = "loss"
    estimate = "estimate"


class ValueRecord(BaseModel):
    """A value for the player to move, in words and as a number."""

    text: str
    outcome: str | None
    plies: int | None
    score: float
    exact: bool
    repetition: bool
    bound: str
    tone: Tone
    player: int = Field(description="The player who sees the value, 0 or 1.")
    share: float = Field(description="The win probability of the first player, from 0 to 1.")


class LineRecord(BaseModel):
    value: ValueRecord
    pv: list[str]


class ReportRecord(BaseModel):
    value: ValueRecord
    move: str
    pv: list[str]
    lines: list[LineRecord]
    depth: int
    nodes: int
    seconds: float
    growth: float | None
    rounds: list[int]
    bounds: list[str]
    legal: dict[str, ValueRecord]
    proven: bool
    source: Source = Field(description="What has answered: the opening book, the database or the search.")
    compiling: bool = Field(description="Whether the search was interpreted, since its fast version is compiling.")
    interpreted: str | None = Field(description="Why the rules do not compile, so that the search is slow.")
    nodes_per_second: int | None
    threads: int = Field(description="How many threads have searched.")


class MoveRecord(BaseModel):
    move: str
    report: ReportRecord


class ProbedMove(BaseModel):
    text: str
    squares: list[int]
    value: ValueRecord


class ProbeRecord(BaseModel):
    value: ValueRecord
    moves: list[ProbedMove]
    best: list[str]
    line: list[str]


class Solved(BaseModel):
    state: str
    value: ValueRecord
    svg: str


class StageOutcomes(BaseModel):
    stage: int
    win: int
    draw: int
    loss: int


class DistanceCount(BaseModel):
    outcome: str
    plies: int
    states: int


class Zugzwang(BaseModel):
    examined: int
    found: int
    examples: list[Solved]


class StatisticsRecord(BaseModel):
    """What a solution counts. Wins and losses are those of the player to move."""

    states: int
    positions: int
    outcomes: dict[str, int]
    stages: list[StageOutcomes] = Field(description="Empty where the game has one stage.")
    distances: list[DistanceCount]
    longest: list[Solved]
    zugzwang: Zugzwang


class PerfectMove(BaseModel):
    text: str
    player: int
    value: ValueRecord
    moves: list[PerfectMove]


class PerfectRecord(BaseModel):
    moves: list[PerfectMove]


class LongestRecord(BaseModel):
    positions: list[Solved]


class ExportRecord(BaseModel):
    text: str


class Comment(BaseModel):
    moves: list[str] = Field(description="The path to the move that the comment is about.")
    text: str


class ImportRecord(BaseModel):
    game: str
    start: str
    lines: list[list[str]] = Field(description="All lines of the game, the main line first.")
    comments: list[Comment]


class PictureRecord(BaseModel):
    """A small picture of a board, whose style sheet is `/board/theme.css`."""

    svg: str


class EngineRecord(BaseModel):
    """Whether the fast engine of a game is ready."""

    compiling: bool


class TreeRecord(BaseModel):
    result: dict[str, Any]
    trace: dict[str, Any]
    words: list[str]
    svg: str
    counts: dict[str, Any]
    depth: int | None = Field(description="Plies that were searched; None is to the end.")
