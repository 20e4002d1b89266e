# cython: language_level=3, boundscheck=False, wraparound=False, freethreading_compatible=True
"""Binding of the C++ search.

Thread safety: a Solver is for one thread at a time and says so if two use it; different Solvers run
in parallel, the GIL is released while they search. Critical sections see to that where there is no
GIL, and are nothing where there is one.
"""

cimport cython
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_ND, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_AsString
from cpython.exc cimport PyErr_CheckSignals
from cpython.number cimport PyIndex_Check, PyNumber_Index
from libc.stdint cimport (
    INT16_MAX, INT16_MIN, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, SIZE_MAX, UINT32_MAX,
    UINT64_MAX,
)
from libcpp.atomic cimport atomic

from spadille.base.errors import ArgumentError

cdef extern from *:
    """
    #define SPADILLE_TEXT(name) SPADILLE_TEXT_(name)
    #define SPADILLE_TEXT_(name) #name
    """
    const char* _SOURCES "SPADILLE_TEXT(SPADILLE_SOURCES)"

DEFAULT_MEMORY = 256 << 20
FAST_PATH = CSolver.has_fast_path()
# What this engine was built from: the module of a page must have been, too (csrc/wasm.py).
SOURCES = _SOURCES.decode()

# The fields of `spadille.games.model.following_suit.Following`, as the engine knows them.
FOLLOWING_FIELDS = tuple([FOLLOWING[i].name.decode() for i in range(FOLLOWING_COUNT)])
# The kinds of needs that Solver.meets() knows of.
NEED_MOST, NEED_EITHER, NEED_CLEAN = <int>MOST, <int>EITHER, <int>CLEAN

_NEVER = 1e9  # seconds; more of them than the clock may count in

# More tricks than any count of them can be.
_FAR = 64

_WHY = {
    <int>Stop.nodes: "nodes",
    <int>Stop.time: "time",
    <int>Stop.interrupt: "interrupt",
}


cdef _whole(name, value, most, least=0):
    """Return a whole number in its range, of numpy too, as an int that fits where it goes."""
    number = PyNumber_Index(value) if PyIndex_Check(value) else None
    if number is None or not least <= number <= most:
        raise ArgumentError(f"{name} is a number from {least} to {most}, not {value!r}")
    return number


cdef _refuse(const char* fault):
    if fault != NULL:
        raise ArgumentError(f"no question for the engine: {fault.decode()}")


cdef cbool _interrupted(void* context) noexcept nogil:
    with gil:
        return (<Solver>context)._asked_to_stop()


cdef class Automaton:
    """A goal over trick winners: is the final state worth at least the threshold?

    ``levels[k]`` lists the states with k tricks to play; ``levels[k][state]`` is a sequence of
    ``2 * players`` states of level k - 1, at ``2 * winner + marked``.  ``levels[0]`` is empty, its
    states are worth ``worth[state]``.  ``stop[k][state]``, where given and not None, is a payoff
    the side may take instead of playing on.  ``ours`` and ``theirs`` are the players whose sure
    tricks the engine's bounds may count for and against the goal.
    """

    cdef shared_ptr[ConstAutomaton] ptr

    def __cinit__(self, players, levels, worth, threshold, ours, theirs, stop=None):
        cdef Source source
        cdef vector[int] steps
        cdef vector[long long] payoffs
        source.players = _whole("players", players, 5, 3)
        for level in levels:
            steps.clear()
            for state in level:
                if len(state) != 2 * players:
                    raise ArgumentError(f"a state has {2 * players} steps, not {len(state)}")
                for step in state:
                    steps.push_back(_whole("a step", step, INT32_MAX))
            source.levels.push_back(steps)
        for value in worth:
            source.worth.push_back(_whole("a worth", value, INT64_MAX, INT64_MIN))
        for level in stop or ():
            payoffs.clear()
            for value in level or ():
                payoffs.push_back(
                    NO_STOP if value is None else _whole("a stop", value, INT64_MAX, INT64_MIN)
                )
            source.stop.push_back(payoffs)
        _refuse(fault(source))
        self.ptr = shared_ptr[ConstAutomaton](
            new CAutomaton(
                source,
                _whole("threshold", threshold, INT64_MAX, INT64_MIN),
                _whole("ours", ours, UINT32_MAX),
                _whole("theirs", theirs, UINT32_MAX),
            )
        )


cdef class Solver:
    """The search with its transposition table, kept between questions about the same sides.

    ``memory`` limits the table in bytes.  ``plain=True`` uses no instructions beyond the
    platform's baseline; values and node counts are the same.  After ``patience`` nodes bounds are
    tried that short searches do not repay.  Raises ArgumentError for a limit below 0 or beyond what
    the machine counts.
    """

    cdef unique_ptr[CSolver] ptr
    cdef uint64_t patience
    cdef cbool busy
    cdef atomic[cbool] stopping
    cdef object _stopped
    cdef object raised

    def __cinit__(self, memory=DEFAULT_MEMORY, *, cbool plain=False, patience=PATIENCE):
        self.patience = _whole("patience", patience, UINT64_MAX)
        self.ptr = CSolver.make(_whole("memory", memory, SIZE_MAX), plain)
        self.limit()

    cdef cbool _asked_to_stop(self) noexcept:
        # An exception (KeyboardInterrupt) cannot pass through the search; _leave lets it out.
        if not self.stopping.load():
            try:
                PyErr_CheckSignals()
            except BaseException as error:
                self.raised = error
                return True
        return self.stopping.load()

    def limit(self, nodes=0, double seconds=0):
        """Start counting nodes anew and stop searches at these limits (0: none).

        Raises ArgumentError for limits below 0, RuntimeError while another thread searches.
        """
        cdef Limits limits
        if not seconds >= 0:
            raise ArgumentError(f"seconds are 0 or more, not {seconds}")
        limits.nodes = _whole("nodes", nodes, UINT64_MAX)
        limits.seconds = seconds if seconds < _NEVER else 0
        limits.interrupted = _interrupted
        limits.context = <void*>self
        limits.patience = self.patience
        with cython.critical_section(self):
            self._idle()
            self.ptr.get().limit(limits)
            self.stopping.store(False)
            self._stopped = None

    def interrupt(self):
        """Make a search that runs in another thread stop soon; holds until limit() is called."""
        self.stopping.store(True)

    def clear(self):
        """Forget all proofs, so that node counts do not depend on what was solved before."""
        with cython.critical_section(self):
            self._idle()
            self.ptr.get().clear()

    @property
    def nodes(self):
        """Positions visited since limit() was called last; not while another thread searches."""
        with cython.critical_section(self):
            self._idle()
            return self.ptr.get().nodes()

    @property
    def memory(self):
        """Bytes the table holds now; not while another thread searches."""
        with cython.critical_section(self):
            self._idle()
            return self.ptr.get().bytes()

    @property
    def stopped(self):
        """What ended the last search early: "nodes", "time", "interrupt", or None."""
        return self._stopped

    def value(self, problem, side, credited, low, high, guess):
        """Bounds of the tricks `side` can win for `credited`, equal unless a limit was reached.

        The tricks not yet completed count, the running one included.  The value is known to lie
        between low and high; guess is tried first.  Returns (low, high).
        """
        cdef Problem p
        cdef Sides sides
        cdef int least = _whole("low", low, _FAR, -_FAR)
        cdef int most = _whole("high", high, _FAR, -_FAR)
        cdef int need = _whole("guess", guess, _FAR, -_FAR)
        cdef cbool answer = False
        cdef Stop why = Stop.none
        _fill(p, problem)
        _divide(sides, side, credited, p.players)
        self._enter()
        try:
            with nogil:
                while least < most:
                    need = min(max(need, least + 1), most)
                    why = self.ptr.get().takes(p, sides, need, answer)
                    if why != Stop.none:
                        break
                    if answer:
                        least = need
                        need += 1
                    else:
                        most = need - 1
                        need -= 1
        finally:
            self._leave(why)
        return least, most

    def reaches(self, problem, side, credited, Automaton goal not None, tricks, state, marked=0):
        """Whether `side` can reach a goal from one of its states; None if a limit was reached."""
        cdef Problem p
        cdef Sides sides
        cdef cbool answer = False
        cdef Stop why = Stop.none
        cdef uint64_t marks = _whole("marked", marked, UINT64_MAX)
        cdef int left = _whole("tricks", tricks, INT32_MAX)
        cdef int start = _whole("state", state, INT32_MAX)
        _fill(p, problem)
        if left != tricks_left(p):
            raise ArgumentError(f"there are {tricks_left(p)} tricks to play, not {left}")
        if not goal.ptr.get().has(p.players, left, start):
            raise ArgumentError(f"{p.players} players have no state {start} of {left} tricks")
        start = goal.ptr.get().start(left, start)
        _divide(sides, side, credited, p.players)
        self._enter()
        try:
            with nogil:
                why = self.ptr.get().reaches(p, sides, goal.ptr, start, marks, answer)
        finally:
            self._leave(why)
        return answer if why == Stop.none else None

    def meets(self, problem, player, kind, needs, marked=0):
        """Whether a player alone can have what he needs; None if a limit was reached.

        ``kind`` NEED_MOST: more tricks than each of the others, and so many.  ``needs`` are so
        many, then how many more than each of the others, in order of their numbers.  NEED_EITHER:
        more than each of the others, or so many.  NEED_CLEAN: clean tricks, without cards of
        ``marked``, whole suits.  ``needs`` are how many if all his tricks are clean, then how
        many, no fewer, if not.
        """
        cdef Problem p
        cdef Needs asked
        cdef cbool answer = False
        cdef Stop why = Stop.none
        cdef int i, own
        _fill(p, problem)
        own = _whole("player", player, p.players - 1)
        asked.kind = <NeedsKind><int>_whole("kind", kind, NEED_CLEAN)
        asked.marked = _whole("marked", marked, UINT64_MAX)
        if len(needs) != (2 if asked.kind == CLEAN else p.players):
            raise ArgumentError(f"needs are 2 of clean tricks, else one a player, not {len(needs)}")
        for i, need in enumerate(needs):
            asked.of[i] = _whole("a need", need, _FAR, -_FAR)
        self._enter()
        try:
            with nogil:
                why = self.ptr.get().meets(p, own, asked, answer)
        finally:
            self._leave(why)
        return answer if why == Stop.none else None

    def legal(self, problem):
        """(legal cards of the player to move, those of them a lower neighbour stands for)."""
        cdef Problem p
        _fill(p, problem)
        cdef Choice found = self.ptr.get().choice(p)
        return found.legal, found.equivalents

    def classes(self, problem):
        """Group the legal cards that are worth the same: the lowest -> all of them.

        Neighbours in a hand are such a group; ascending by card number.
        """
        cdef Problem p
        cdef int card
        cdef list group = []
        cdef dict groups = {}
        _fill(p, problem)
        cdef Choice found = self.ptr.get().choice(p)
        for card in range(64):
            if found.equivalents >> card & 1:
                group.append(card)
            elif found.legal >> card & 1:
                group = groups[card] = [card]
        return groups

    cdef _idle(self):
        if self.busy:
            raise RuntimeError("this Solver is in use by another thread; give each thread its own")

    cdef _enter(self):
        with cython.critical_section(self):
            self._idle()
            self.busy = True

    cdef _leave(self, Stop why):
        cdef object error
        with cython.critical_section(self):
            self.busy = False
            self._stopped = _WHY.get(<int>why)
            error = self.raised
            self.raised = None
        if error is not None:
            raise error


cdef _divide(Sides& sides, side, credited, int players):
    sides.side = _whole("side", side, UINT32_MAX)
    sides.credited = _whole("credited", credited, UINT32_MAX)
    _refuse(fault(sides, players))


cdef int _fill(Problem& p, problem) except -1:
    cdef int i, called
    cdef tuple hands, trick
    cdef vector[int] fields
    try:
        p.players, hands, p.trump, p.leader, trick, p.matadors, called, following = problem
        _whole("players", p.players, 5, 3)
        p.on_table = len(trick)
        if len(hands) != p.players or p.on_table >= p.players:
            raise ArgumentError("a problem has a hand for each player and a trick that is not full")
        for i in range(p.on_table):
            p.table[i] = trick[i]
        for i in range(p.players):
            p.hands[i] = hands[i]
        for number in following:
            fields.push_back(number)
    except OverflowError as error:
        raise ArgumentError(f"a number is out of range: {error}") from None
    _whole("called", called, 63, -1)
    _refuse(p.following.set(fields))
    p.called = 0 if called < 0 else (<uint64_t>1) << called
    _refuse(fault(p))
    return 0


include "objectives.pxi"
include "layouts.pxi"
include "plans.pxi"
