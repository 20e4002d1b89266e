# Objectives and their questions (csrc/objective.hpp, csrc/question.hpp).
#
# This is included at the end of engine.pyx rather than being a separate module, because an
# objective needs private parts of a Solver (its C++ search, _enter and _leave) and the checks of a
# problem; two extension modules would each contain the engine, or have to share its symbols. This
# file defines questions, engine.pyx answers them.

cdef class Objective:
    """A side's aim in a hand, expressed as values; higher is better (see csrc/objective.hpp).

    Use its subclasses. States are integers; threads may share an objective. All questions are asked
    with a `Solver`, from any position; if a limit stops the search, bounds stay apart and other
    answers are None.
    """

    cdef shared_ptr[ConstObjective] ptr
    cdef COpenTrump open_trump

    cdef const CObjective* _get(self) except NULL:
        if not self.ptr:
            raise ArgumentError("this objective has not been initialized")
        return self.ptr.get()

    cdef unique_ptr[CQuestion] _question(self, Solver solver) except *:
        if solver is None:
            raise ArgumentError("a question needs a Solver")
        return unique_ptr[CQuestion](
            new CQuestion(solver.ptr.get()[0], self._get()[0], self.open_trump))

    @property
    def engine(self):
        """The objective itself; other objectives in Python have one of these."""
        return self

    @property
    def side(self):
        """The players who want a high value, as a bit set."""
        return self._get().sides.side

    @property
    def credited(self):
        """The players whose tricks count, as a bit set."""
        return self._get().sides.credited

    def wants(self, problem):
        """Whether the player to move belongs to the side that wants a high value."""
        cdef Problem p
        _fill(p, problem)
        return bool(self._get().sides.side >> to_play(p) & 1)

    def span(self, problem, int state):
        """Return the lowest and the highest possible value."""
        cdef Problem p
        cdef int low = 0, high = 0
        _fill(p, problem)
        self._check(p, state)
        self._get().span(tricks_left(p), state, low, high)
        return low, high

    def led(self, problem, int state):
        """Return the state after the lead to the next trick."""
        cdef Problem p
        _fill(p, problem)
        self._check(p, state)
        return self._get().led(tricks_left(p), state)

    def step(self, Solver solver, problem, int state, int card):
        """Return the state after the player to move has played a card."""
        cdef Problem p
        _fill(p, problem)
        self._check(p, state)
        if not 0 <= card < 64 or not p.hands[to_play(p)] >> card & 1:
            raise ArgumentError(f"the player to move does not hold card {card}")
        return self._question(solver).get().step(p, state, card)

    def bounds(self, Solver solver, problem, int state, int low, int high, int guess):
        """Narrow the bounds to the value of a position; ``guess`` is tried first."""
        cdef Problem p
        cdef unique_ptr[CQuestion] question = self._question(solver)
        cdef Stop why = Stop.none
        _fill(p, problem)
        self._check(p, state)
        if low < high:
            self._check_value(p, state, low, high)
        solver._enter()
        try:
            with nogil:
                why = question.get().bounds(p, state, low, high, guess)
        finally:
            solver._leave(why)
        return low, high

    def reaches(self, Solver solver, problem, int state, int need):
        """Return whether the value of a position is at least ``need``."""
        cdef Problem p
        cdef unique_ptr[CQuestion] question = self._question(solver)
        cdef cbool answer = False
        cdef Stop why = Stop.none
        _fill(p, problem)
        self._check(p, state)
        solver._enter()
        try:
            with nogil:
                why = question.get().reaches(p, state, need, answer)
        finally:
            solver._leave(why)
        return answer if why == Stop.none else None

    def card_values(self, Solver solver, problem, int state, int value):
        """Return the value of each legal card, ascending; ``value`` is the position's value.

        Values are exact up to their grades; None for a card that a limit left open. Raises
        ArgumentError if no card is left.
        """
        cdef Problem p
        cdef unique_ptr[CQuestion] question = self._question(solver)
        cdef vector[CardValue] values
        cdef CardValue card
        cdef Stop why = Stop.none
        _fill(p, problem)
        if not tricks_left(p):
            raise ArgumentError("no card is left to play")
        self._check(p, state)
        self._check_value(p, state, value, value)
        solver._enter()
        try:
            with nogil:
                why = question.get().card_values(p, state, value, values)
        finally:
            solver._leave(why)
        return {card.card: card.value if card.known else None for card in values}

    def best_line(self, Solver solver, problem, int state, int value, *, taste=TASTE):
        """Return the cards of an optimal line, and the lane of a trump named in it (-1: none).

        ``value`` is the position's value. Among the cards that keep it, the line plays the one
        people would choose, ignoring cards that ``taste`` nodes do not settle (0: all are settled).
        Returns None if a limit stopped the search.
        """
        cdef Problem p
        cdef unique_ptr[CQuestion] question = self._question(solver)
        cdef vector[int] line
        cdef int named = -1
        cdef uint64_t nodes = _whole("taste", taste, UINT64_MAX)
        cdef Stop why = Stop.none
        _fill(p, problem)
        self._check(p, state)
        self._check_value(p, state, value, value)
        solver._enter()
        try:
            with nogil:
                why = question.get().best_line(p, state, value, line, named, nodes)
        finally:
            solver._leave(why)
        return None if why != Stop.none else (line, named)

    cdef int _check(self, const Problem& p, int state) except -1:
        if not self._get().knows(p, state) or self.open_trump.declarer >= p.players:
            raise ArgumentError(f"{state} is not a state of this objective here")
        return 0

    cdef int _check_value(self, const Problem& p, int state, int least, int most) except -1:
        cdef int low = 0, high = 0
        self._get().span(tricks_left(p), state, low, high)
        if least < low or most > high:
            raise ArgumentError(f"values here are {low} to {high}, not {least} to {most}")
        return 0


cdef Sides _sides(uint32_t side, uint32_t credited):
    cdef Sides sides
    sides.side = side
    sides.credited = credited
    return sides


cdef class TrickObjective(Objective):
    """The tricks of the credited players in the whole hand, plus an offset; or their payoff.

    ``steps`` lists the tricks needed for each value from 1 on, ascending; without steps a value is
    a count. ``made_or_not`` is for a Misère: 0 if it makes, otherwise -1. ``open_trump`` is
    (declarer, lanes) if the declarer names one of these trumps with their first card.
    """

    def __init__(self, uint32_t side, uint32_t credited, *, steps=(), cbool made_or_not=False,
                 open_trump=None):
        if list(steps) != sorted(set(steps)):
            raise ArgumentError("each step must need more tricks than the previous one")
        if open_trump is not None:
            self.open_trump.declarer, self.open_trump.lanes = open_trump
            if not 0 <= self.open_trump.declarer < 5 or not {0, 1, 2, 3}.issuperset(open_trump[1]):
                raise ArgumentError(f"no such declarer or suits: {open_trump}")
        self.ptr = shared_ptr[ConstObjective](
            <ConstObjective*>new CTrickObjective(_sides(side, credited), steps, made_or_not))


cdef class PayoffObjective(Objective):
    """A payoff that a number of tricks does not determine, as states of an automaton.

    ``levels[k]`` lists the states with k tricks to play; ``levels[k][state]`` is a sequence of
    ``2 * players`` states of level k - 1, at ``2 * winner + marked``. ``levels[0]`` is empty; its
    states are worth ``worth[state]``, an index into the list of ``values`` payoffs.
    ``stop[k][state]``, if given and not None, is a state that the side may take instead of playing
    on from ``led[k][state]``. ``grades`` are the lowest values with words of their own, ``marked``
    whole suits.

    A lone player's payoff may depend on needs: ``terms`` then gives, for each value, the kind of
    need and two numbers. NEED_MOST means more tricks than each rival and at least the number;
    NEED_EITHER more tricks than each rival or at least the number (the second number is 0 for
    both). NEED_CLEAN means at least the first number of tricks without a marked card while all of
    the player's tricks are clean, and at least the second, which is no lower, once one is not.
    ``counts[k][state]`` gives the state's counts for these: own tricks, then those of each rival;
    or clean tricks, and whether any trick is not clean.
    """

    def __init__(self, uint32_t side, uint32_t credited, int players, levels, worth, int values, *,
                 stop=(), led=(), grades=(), uint64_t marked=0, terms=(), counts=()):
        cdef PayoffSource source
        cdef vector[Terms] needs
        cdef Terms term
        cdef Sides sides = _sides(side, credited)
        source.states.players = players
        for level in levels:
            source.states.levels.push_back([step for state in level for step in state])
        source.states.worth = worth
        for level in stop:
            source.states.stop.push_back([NO_STOP if value is None else value for value in level])
        source.led = led
        source.grades = grades
        source.values = values
        for kind, first, second in terms:
            term.kind = <NeedsKind><int>_whole("kind", kind, NEED_CLEAN)
            term.of[0] = first
            term.of[1] = second
            needs.push_back(term)
        _refuse(CPayoffObjective.fault(source))
        _refuse(fault(sides, players))
        if needs.empty():
            self.ptr = shared_ptr[ConstObjective](
                <ConstObjective*>new CPayoffObjective(sides, source, marked))
        else:
            _refuse(CNeedsObjective.fault(sides, source, needs, counts))
            self.ptr = shared_ptr[ConstObjective](
                <ConstObjective*>new CNeedsObjective(sides, source, needs, counts, marked))
