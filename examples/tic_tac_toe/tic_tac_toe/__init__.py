"""Tic-tac-toe: three in a row on a board of nine cells wins."""

from __future__ import annotations

from collections.abc import Iterator

from ludolog import Command, Event, Game, Now, Outcome, Position, Rules, Seat, Slot, State, hookimpl, refuse

rules = Rules("tic-tac-toe")

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
MARKS = "XO"
CLAUSES = ("tic_tac_toe:rules.toml",)

LINE_WINS: Slot[bool] = rules.slot(
    Slot("line-wins", "Whether whoever completes a line wins."), {"line": True}, cites="TTT-5"
)


@rules.state
class Board(State, frozen=True):
    """Nine cells, row by row: ``"X"``, ``"O"`` or ``""``."""

    cells: tuple[str, ...] = ("",) * 9
    moves: int = 0


class Placed(Event, frozen=True, tag="tic-tac-toe/placed"):
    """A mark was put on a cell."""

    cell: int
    mark: str


class Place(Command, frozen=True, tag="tic-tac-toe/place"):
    """Put your mark on a cell, 0 to 8."""

    cell: int


PLACES = tuple(Place(cell=cell) for cell in range(9))


@rules.reducer(cites="TTT-3")
def placed(board: Board, event: Placed) -> Board:
    """The mark stays where it was put (TTT-3)."""
    cells = board.cells
    return Board(cells=(*cells[: event.cell], event.mark, *cells[event.cell + 1 :]), moves=board.moves + 1)


@rules.to_act
def to_act(position: Position) -> tuple[Seat, ...]:
    """The seats take turns (TTT-2)."""
    return (position.seats[position[Board].moves % 2],)


@rules.decider(cites=("TTT-3", "TTT-4"))
def place(now: Now, command: Place) -> Iterator[Event]:
    """A mark goes on a free cell; a full line or a full board ends the game (TTT-3, TTT-4)."""
    board = now[Board]
    if not 0 <= command.cell < len(board.cells):
        refuse("no-such-cell", f"The board has cells 0 to 8, not {command.cell}.", "TTT-1", cell=command.cell)
    if board.cells[command.cell]:
        refuse("cell-taken", f"Cell {command.cell} is taken.", "TTT-3", cell=command.cell)
    mark = MARKS[board.moves % 2]
    yield Placed(cell=command.cell, mark=mark)
    cells = now[Board].cells
    if any(cells[a] == cells[b] == cells[c] == mark for a, b, c in LINES):
        yield now.end("line")
    elif now[Board].moves == len(cells):
        yield now.end("full")


@rules.legal
def legal(position: Position, _seat: Seat) -> list[Command]:
    """Every free cell (TTT-3)."""
    return [PLACES[cell] for cell, mark in enumerate(position[Board].cells) if not mark]


@rules.scoring
def outcome(position: Position, reason: str) -> Outcome:
    """A line wins (TTT-5), a full board is a draw (TTT-4)."""
    if reason == "full":
        return Outcome(
            reason=reason, sentence="The board is full.", ranking=(position.seats,), drawn=True, clause="TTT-4"
        )
    mover = position.seats[(position[Board].moves - 1) % 2]
    other = position.after(mover)
    first, second = (mover, other) if position.slot(LINE_WINS)["line"] else (other, mover)
    return Outcome(reason=reason, sentence=f"{first} wins.", ranking=((first,), (second,)), clause="TTT-5")


@rules.picture("text")
def text(position: Position) -> str:
    """Three rows of three."""
    cells = [mark or str(at) for at, mark in enumerate(position[Board].cells)]
    return "\n".join(" ".join(cells[row : row + 3]) for row in (0, 3, 6))


def load() -> Rules:
    """The rules."""
    return rules


@hookimpl
def ludolog_game() -> Game:
    """Manifest."""
    return Game(
        id="tic-tac-toe", title="Tic-tac-toe", summary="Three in a row wins.", seats=(2,), rules=load, clauses=CLAUSES
    )
