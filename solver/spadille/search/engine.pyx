# cython: language_level=3, boundscheck=False, wraparound=False
"""Binding of the C++ search.

Thread safety: a Solver is for one thread at a time and says so if two use it; different Solvers run
in parallel, the GIL is released while they search.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport SIZE_MAX, UINT64_MAX

from spadille.errors import ArgumentError

include "engine.pxi"

DEFAULT_MEMORY = 256 << 20
FAST_PATH = CSolver.has_fast_path()

_NEVER = 1e9  # seconds; more of them than the clock may count in

_WHY = {1: "nodes", 2: "time", 3: "interrupt"}


def _check(name, value, most):
    if not 0 <= value <= most:
        raise ArgumentError(f"{name} is a number from 0 to {most}, not {value}")


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

    def __init__(self, int players, levels, worth, long long threshold, uint32_t ours,
                 uint32_t theirs, stop=None):
        cdef Source source
        cdef vector[int] steps
        cdef vector[long long] payoffs
        source.players = players
        for level in levels:
            steps.clear()
            for state in level:
                for step in state:
                    steps.push_back(step)
            source.levels.push_back(steps)
        for value in worth:
            source.worth.push_back(value)
        for level in stop or ():
            payoffs.clear()
            for value in level:
                payoffs.push_back(NO_STOP if value is None else value)
            source.stop.push_back(payoffs)
        self.ptr = shared_ptr[ConstAutomaton](new CAutomaton(source, threshold, ours, theirs))


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
    cdef cbool stopping
    cdef object _stopped
    cdef object raised

    def __cinit__(self, memory=DEFAULT_MEMORY, *, cbool plain=False, patience=PATIENCE):
        _check("memory", memory, SIZE_MAX)
        _check("patience", patience, UINT64_MAX)
        self.patience = patience
        self.ptr = CSolver.make(memory, plain)
        self.limit()

    cdef cbool _asked_to_stop(self) noexcept:
        # An exception (KeyboardInterrupt) cannot pass through the search; _leave lets it out.
        if not self.stopping:
            try:
                PyErr_CheckSignals()
            except BaseException as error:
                self.raised = error
                return True
        return self.stopping

    def limit(self, nodes=0, double seconds=0):
        """Start counting nodes anew and stop searches at these limits (0: none).

        Raises ArgumentError for limits below 0.
        """
        cdef Limits limits
        _check("nodes", nodes, UINT64_MAX)
        _check("seconds", seconds, float("inf"))
        limits.nodes = nodes
        limits.seconds = seconds if seconds < _NEVER else 0
        limits.interrupted = _interrupted
        limits.context = <void*>self
        limits.patience = self.patience
        self.ptr.get().limit(limits)
        self.stopping = False
        self._stopped = None

    def interrupt(self):
        """Make a search that runs in another thread stop soon; holds until limit() is called."""
        self.stopping = True

    def clear(self):
        """Forget all proofs, so that node counts do not depend on what was solved before."""
        self._enter()
        self.ptr.get().clear()
        self.busy = False

    @property
    def nodes(self):
        """Positions visited since limit() was called last."""
        return self.ptr.get().nodes()

    @property
    def memory(self):
        """Bytes the table holds now."""
        return self.ptr.get().bytes()

    @property
    def stopped(self):
        """What ended the last search early: "nodes", "time", "interrupt", or None."""
        return self._stopped

    def value(self, problem, uint32_t side, uint32_t credited, int low, int high, int guess):
        """Bounds of the tricks `side` can win for `credited`, equal unless a limit was reached.

        The tricks not yet completed count, the running one included.  The value is known to lie
        between low and high; guess is tried first.  Returns (low, high).
        """
        cdef Position p
        cdef Sides sides
        cdef int need
        cdef cbool answer = False
        cdef Stop why = Stop.none
        _fill(p, problem)
        sides.side = side
        sides.credited = credited
        self._enter()
        try:
            with nogil:
                need = guess
                while low < high:
                    need = min(max(need, low + 1), high)
                    why = self.ptr.get().takes(p, sides, need, answer)
                    if why != Stop.none:
                        break
                    if answer:
                        low = need
                        need += 1
                    else:
                        high = need - 1
                        need -= 1
        finally:
            self._leave(why)
        return low, high

    def reaches(self, problem, uint32_t side, uint32_t credited, Automaton goal, int tricks,
                int state, uint64_t marked=0):
        """Whether `side` can reach a goal from one of its states; None if a limit was reached."""
        cdef Position p
        cdef Sides sides
        cdef cbool answer = False
        cdef Stop why = Stop.none
        cdef int start = goal.ptr.get().start(tricks, state)
        _fill(p, problem)
        sides.side = side
        sides.credited = credited
        self._enter()
        try:
            with nogil:
                why = self.ptr.get().reaches(p, sides, goal.ptr, start, marked, answer)
        finally:
            self._leave(why)
        return answer if why == Stop.none else None

    def meets(self, problem, int player, int kind, needs, uint64_t marked=0):
        """Whether a player alone can have what he needs; None if a limit was reached.

        ``kind`` 0: more tricks than each of the others, and so many.  ``needs`` are so many, then
        how many more than each of the others, in order of their numbers.  1: more than each of the
        others, or so many.  2: clean tricks, without cards of ``marked``.  ``needs`` are how many
        if all his tricks are clean, then how many, no fewer, if not.  ``marked`` are whole suits.
        """
        cdef Position p
        cdef Needs asked
        cdef cbool answer = False
        cdef Stop why = Stop.none
        cdef int i
        _fill(p, problem)
        _check("player", player, p.players - 1)
        _check("kind", kind, 2)
        if len(needs) != (2 if kind == 2 else p.players):
            raise ArgumentError(f"needs are 2 of clean tricks, else one a player, not {len(needs)}")
        asked.kind = <NeedsKind>kind
        asked.marked = marked
        for i, need in enumerate(needs):
            asked.of[i] = need
        self._enter()
        try:
            with nogil:
                why = self.ptr.get().meets(p, player, asked, answer)
        finally:
            self._leave(why)
        return answer if why == Stop.none else None

    def legal(self, problem):
        """(legal cards of the player to move, those of them a lower neighbour stands for)."""
        cdef Position p
        _fill(p, problem)
        cdef Choice found = self.ptr.get().choice(p)
        return found.legal, found.twins

    def classes(self, problem):
        """Group the legal cards that are worth the same: the lowest -> all of them.

        Neighbours in a hand are such a group; ascending by card number.
        """
        cdef Position p
        cdef int card
        cdef list group = []
        cdef dict groups = {}
        _fill(p, problem)
        cdef Choice found = self.ptr.get().choice(p)
        for card in range(64):
            if found.twins >> card & 1:
                group.append(card)
            elif found.legal >> card & 1:
                group = groups[card] = [card]
        return groups

    cdef _enter(self):
        if self.busy:
            raise RuntimeError("this Solver is in use by another thread; give each thread its own")
        self.busy = True

    cdef _leave(self, Stop why):
        self.busy = False
        self._stopped = _WHY.get(<int>why)
        if self.raised is not None:
            error, self.raised = self.raised, None
            raise error


cdef int _fill(Position& p, problem) except -1:
    cdef int i, called
    cdef int rule
    cdef tuple hands, trick
    (p.players, hands, p.trump, p.leader, trick, p.matadors, rule, p.follow.highest_so_far,
     p.follow.free_unless_all_lower, called, p.follow.free_called_lead,
     p.follow.early_discard) = problem
    if not 3 <= p.players <= 5:
        raise ValueError(f"3 to 5 players, not {p.players}")
    p.on_table = len(trick)
    if len(hands) != p.players or p.on_table >= p.players:
        raise ValueError("a problem has a hand for each player and a trick that is not full")
    for i in range(p.on_table):
        p.table[i] = trick[i]
    for i in range(p.players):
        p.hands[i] = hands[i]
    p.follow.rule = <MatadorRule><unsigned char>rule
    p.called = 0 if called < 0 else (<uint64_t>1) << called
    return 0
