# Objectives and the questions put to them (csrc/objective.hpp, csrc/question.hpp).
#
# Included at the end of engine.pyx, not a module beside it: an objective needs what a Solver keeps
# to itself (its C++ search, _enter and _leave) and the checks of a problem, and two extension
# modules would each carry the engine, or have to share its symbols. Here stands what a question is,
# there what answers it.

cdef class Objective:
    """What a side wants of a hand, as values of which more is better; see csrc/objective.hpp.

    Made by its subclasses. States are whole numbers; threads may share an objective. All questions
    are put to a `Solver`, from any position; they leave bounds apart, or say None, where a limit
    stops the search.
    """

    cdef shared_ptr[ConstObjective] ptr
    cdef COpenTrump open_trump

    cdef const CObjective* _get(self) except NULL:
        if not self.ptr:
            raise ArgumentError("an objective that was not set up")
        return self.ptr.get()

    cdef unique_ptr[CQuestion] _question(self, Solver solver) except *:
        if solver is None:
            raise ArgumentError("a question needs a Solver")
        return unique_ptr[CQuestion](
            new CQuestion(solver.ptr.get()[0], self._get()[0], self.open_trump))

    @property
    def side(self):
        """The players who want much, as a bit set."""
        return self._get().sides.side

    @property
    def credited(self):
        """The players whose tricks count, as a bit set."""
        return self._get().sides.credited

    def wants(self, problem):
        """Whether the player to move belongs to the side that wants much."""
        cdef Problem p
        _fill(p, problem)
        return bool(self._get().sides.side >> to_play(p) & 1)

    def span(self, problem, int state):
        """The least and the greatest value there can be."""
        cdef Problem p
        cdef int low = 0, high = 0
        _fill(p, problem)
        self._check(p, state)
        self._get().span(tricks_left(p), state, low, high)
        return low, high

    def led(self, problem, int state):
        """The state once somebody has led to the next trick."""
        cdef Problem p
        _fill(p, problem)
        self._check(p, state)
        return self._get().led(tricks_left(p), state)

    def step(self, Solver solver, problem, int state, int card):
        """The state after the player to move has played a card."""
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
        """Whether the value of a position is at least ``need``."""
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
        """The value of each legal card, ascending; ``value`` is that of the position.

        Values are exact up to their grades; None for a card that a limit left open. Raises
        ArgumentError where no card is left.
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
        """The cards of an optimal line to the end, and the lane of the trump named in it, or -1.

        ``value`` is that of the position. Of the cards that keep it people's choice is played, but
        for those that ``taste`` nodes do not settle (0: all are settled). None where a limit
        stopped the search.
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
            raise ArgumentError(f"{state} is no state of this objective here")
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
    """Tricks of the credited players, all of the hand together, plus an offset; or what they pay.

    ``steps`` are, for each value from 1 on, the tricks it needs, ascending; none: a value is a
    count.  ``made_or_not`` of a Misère: 0 if it makes, otherwise -1.  ``open_trump`` is (declarer,
    lanes) where he names one of these trumps when he plays his first card.
    """

    def __init__(self, uint32_t side, uint32_t credited, *, steps=(), cbool made_or_not=False,
                 open_trump=None):
        if list(steps) != sorted(set(steps)):
            raise ArgumentError("steps must need more tricks each time")
        if open_trump is not None:
            self.open_trump.declarer, self.open_trump.lanes = open_trump
            if not 0 <= self.open_trump.declarer < 5 or not {0, 1, 2, 3}.issuperset(open_trump[1]):
                raise ArgumentError(f"no such declarer or suits: {open_trump}")
        self.ptr = shared_ptr[ConstObjective](
            <ConstObjective*>new CTrickObjective(_sides(side, credited), steps, made_or_not))


cdef class PayoffObjective(Objective):
    """A payoff that a number of tricks does not tell, as states of an automaton.

    ``levels[k]`` lists the states with k tricks to play; ``levels[k][state]`` is a sequence of
    ``2 * players`` states of level k - 1, at ``2 * winner + marked``.  ``levels[0]`` is empty, its
    states are worth ``worth[state]``, a place in the list of ``values`` payoffs.
    ``stop[k][state]``, where given and not None, is one the side may take instead of playing on
    from ``led[k][state]``.  ``grades`` are the least values that are shown in words of their own,
    ``marked`` whole suits.

    A lone player's payoff may depend on what he needs: ``terms`` are then, for each value, the kind
    of need and two numbers. NEED_MOST is more tricks than each rival and so many, NEED_EITHER more
    than each rival or so many, the second number being 0. NEED_CLEAN is so many tricks without a
    marked card while all of his are clean, and so many, no fewer, once one is not.
    ``counts[k][state]`` are what a state has of it: his tricks, then those of each rival; or clean
    tricks, and whether one of his is not.
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
