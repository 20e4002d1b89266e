# cython: language_level=3, boundscheck=False, wraparound=False, freethreading_compatible=True
"""Binding of the C++ search.

Thread safety: a Solver serves one thread at a time and raises an error if two use it; different
Solvers run in parallel, because the GIL is released while they search. Critical sections ensure
this in builds without a GIL, and do nothing in builds with one.
"""

cimport cython
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_ND, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_AsString
from cpython.exc cimport PyErr_CheckSignals
from cpython.number cimport PyIndex_Check, PyNumber_Index
from libc.stdint cimport (
    INT16_MAX, INT16_MIN, INT32_MAX, INT32_MIN, SIZE_MAX, UINT32_MAX, UINT64_MAX,
)
from libcpp.algorithm cimport sort
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
# Identifies the sources of this engine; the module of the pages must have been built from the same
# ones (csrc/wasm.py).
SOURCES = _SOURCES.decode()

# The fields of `spadille.games.model.following_suit.Following`, for the engine.
FOLLOWING_FIELDS = tuple([FOLLOWING[i].name.decode() for i in range(FOLLOWING_COUNT)])
# The kinds of needs in the terms of a PayoffObjective.
NEED_MOST, NEED_EITHER, NEED_CLEAN = <int>MOST, <int>EITHER, <int>CLEAN

_NEVER = 1e9  # seconds; larger numbers could overflow the clock

_WHY = {
    <int>Stop.nodes: "nodes",
    <int>Stop.time: "time",
    <int>Stop.interrupt: "interrupt",
}


cdef _whole(name, value, most, least=0):
    """Return an integer, including numpy's, after checking its range."""
    number = PyNumber_Index(value) if PyIndex_Check(value) else None
    if number is None or not least <= number <= most:
        raise ArgumentError(f"{name} must be a number from {least} to {most}, not {value!r}")
    return number


cdef _refuse(const char* fault):
    if fault != NULL:
        raise ArgumentError(f"invalid question for the engine: {fault.decode()}")


cdef cbool _interrupted(void* context) noexcept nogil:
    with gil:
        return (<_Interruptible>context)._asked_to_stop()


cdef class _Interruptible:
    """A search for one thread at a time that any thread may stop."""

    cdef cbool busy
    cdef atomic[cbool] stopping
    cdef object _stopped
    cdef object raised

    cdef cbool _asked_to_stop(self) noexcept:
        # An exception (KeyboardInterrupt) cannot pass through the search; _leave raises it.
        if not self.stopping.load():
            try:
                PyErr_CheckSignals()
            except BaseException as error:
                self.raised = error
                return True
        return self.stopping.load()

    cdef Limits _limits(self, nodes, double seconds, uint64_t patience) except *:
        cdef Limits limits
        if not seconds >= 0:
            raise ArgumentError(f"seconds must be 0 or more, not {seconds}")
        limits.nodes = _whole("nodes", nodes, UINT64_MAX)
        limits.seconds = seconds if seconds < _NEVER else 0
        limits.interrupted = _interrupted
        limits.context = <void*>self
        limits.patience = patience
        return limits

    @property
    def stopped(self):
        """What stopped the last search: "nodes", "time" or "interrupt"; None if it finished."""
        return self._stopped

    cdef _idle(self):
        if self.busy:
            name = type(self).__name__
            raise RuntimeError(f"this {name} is in use by another thread; give each thread its own")

    cdef _enter(self, cbool anew=False):
        with cython.critical_section(self):
            self._idle()
            self.busy = True
            if anew:
                self.stopping.store(False)

    cdef _leave(self, Stop why):
        cdef object error
        with cython.critical_section(self):
            self.busy = False
            self._stopped = _WHY.get(<int>why)
            error = self.raised
            self.raised = None
        if error is not None:
            raise error


cdef class Solver(_Interruptible):
    """The search with its transposition table, kept between questions about the same sides.

    ``memory`` limits the table in bytes. ``plain=True`` uses no instructions beyond the platform's
    baseline; values and node counts are the same. After ``patience`` nodes, the search also tries
    bounds that do not pay off in short searches. Raises ArgumentError for a limit below 0 or beyond
    the machine's integers.
    """

    cdef unique_ptr[CSolver] ptr
    cdef uint64_t patience
    cdef size_t most

    def __cinit__(self, memory=DEFAULT_MEMORY, *, cbool plain=False, patience=PATIENCE):
        self.patience = _whole("patience", patience, UINT64_MAX)
        self.most = _whole("memory", memory, SIZE_MAX)
        self.ptr = CSolver.make(self.most, plain)
        self.limit()

    def limit(self, nodes=0, double seconds=0):
        """Reset the node count, and stop searches at these limits (0: none).

        Returns whether the solver was interrupted since the last call, even if no search was
        long enough to notice.  Raises ArgumentError for limits below 0, RuntimeError while another
        thread searches.
        """
        cdef Limits limits = self._limits(nodes, seconds, self.patience)
        cdef cbool interrupted
        with cython.critical_section(self):
            self._idle()
            self.ptr.get().limit(limits)
            interrupted = self.stopping.exchange(False)
            self._stopped = None
        return interrupted

    @property
    def interrupted(self):
        """Whether interrupt() was called since the last limit()."""
        return self.stopping.load()

    def interrupt(self):
        """Make a search in another thread stop soon; stays in effect until limit() is called."""
        self.stopping.store(True)

    def clear(self):
        """Clear the table, so that node counts do not depend on earlier questions."""
        with cython.critical_section(self):
            self._idle()
            self.ptr.get().clear()

    @property
    def nodes(self):
        """Positions visited since the last call of limit(); not while another thread searches."""
        with cython.critical_section(self):
            self._idle()
            return self.ptr.get().nodes()

    @property
    def memory_limit(self):
        """Bytes the table may use."""
        return self.most

    @property
    def memory(self):
        """Bytes the table uses now; not while another thread searches."""
        with cython.critical_section(self):
            self._idle()
            return self.ptr.get().bytes()

    def legal(self, problem):
        """Return (legal cards of the player to move, those that a lower neighbor represents)."""
        cdef Problem p
        _fill(p, problem)
        cdef Choice choice = self.ptr.get().choice(p)
        return choice.legal, choice.equivalents

    def classes(self, problem):
        """Group equivalent legal cards: the lowest -> all of them, ascending by card number.

        Neighbors in a hand are equivalent.
        """
        cdef Problem p
        cdef int card
        cdef list group = []
        cdef dict groups = {}
        _fill(p, problem)
        cdef Choice choice = self.ptr.get().choice(p)
        for card in range(64):
            if choice.equivalents >> card & 1:
                group.append(card)
            elif choice.legal >> card & 1:
                group = groups[card] = [card]
        return groups


cdef int _fill(Problem& p, problem) except -1:
    cdef int i, called
    cdef tuple hands, trick
    cdef vector[int] fields
    try:
        p.players, hands, p.trump, p.leader, trick, p.matadors, called, following = problem
        _whole("players", p.players, 5, 3)
        p.on_table = len(trick)
        if len(hands) != p.players or p.on_table >= p.players:
            raise ArgumentError("a problem needs a hand for each player and an incomplete trick")
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
include "replayed_cards.pxi"
include "many_layouts.pxi"
include "plans.pxi"
include "strength.pxi"
include "call_likelihood.pxi"
