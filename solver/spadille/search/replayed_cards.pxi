# The cards that were played from a position, and the values of an objective along them.
#
# This is included at the end of engine.pyx, like objectives.pxi. A review calls these classes a few
# times for a whole hand, because a call for each card would take longer than the search.

cdef cbool _is_free(const Choice& choice) noexcept nogil:
    """Return whether there is more than one different card to choose from."""
    cdef uint64_t different = choice.legal & ~choice.equivalents
    return different & (different - 1) != 0


cdef uint64_t _group(const Choice& choice, int card) noexcept nogil:
    """Return a legal card with its equivalents, the lowest of which it must be."""
    cdef uint64_t group = (<uint64_t>1) << card
    for card in range(card + 1, 64):
        if choice.equivalents >> card & 1:
            group |= (<uint64_t>1) << card
        elif choice.legal >> card & 1:
            break
    return group


cdef class ReplayedCards:
    """The cards played from a position, up to the first illegal one, and the problems along them.

    Problem ``i`` is the one before card ``i``; the last problem comes after the last card.
    """

    cdef vector[Problem] problems
    cdef vector[Choice] choices
    cdef vector[int] numbers
    cdef object start

    def __cinit__(self, Solver solver, problem, cards):
        cdef Problem p
        cdef Choice choice
        cdef int card
        if solver is None:
            raise ArgumentError("played cards need a Solver")
        _fill(p, problem)
        self.start = problem
        self.problems.push_back(p)
        for card in cards:
            choice = solver.ptr.get().choice(p)
            if not 0 <= card < 64 or not choice.legal >> card & 1:
                break
            p = played(p, card)
            self.numbers.push_back(card)
            self.choices.push_back(choice)
            self.problems.push_back(p)

    def __len__(self):
        return self.numbers.size()

    @property
    def cards(self):
        """The card numbers, in order of play."""
        return list(self.numbers)

    @property
    def players(self):
        """The player of each card."""
        cdef size_t i
        return [to_play(self.problems[i]) for i in range(self.numbers.size())]

    @property
    def free(self):
        """Whether the player of each card had a choice; equivalent cards count as one."""
        cdef size_t i
        return [_is_free(self.choices[i]) for i in range(self.numbers.size())]

    @property
    def privileged(self):
        """The places at which a matador or the called card may have affected the choice.

        The player held the called card, or no trumps but matadors when trumps were led.
        """
        cdef size_t i
        cdef uint64_t hand, trumps
        cdef Problem p
        cdef list places = []
        for i in range(self.numbers.size()):
            p = self.problems[i]
            hand = p.hands[to_play(p)]
            trumps = 0
            if p.trump >= 0 and p.on_table and p.table[0] >> 4 == p.trump:
                trumps = hand & (<uint64_t>0xFFFF) << 16 * p.trump
            if hand & p.called or trumps and not trumps & ~p.matadors:
                places.append(i)
        return places

    def history(self, size_t end):
        """Return the winner and the cards of each trick that was complete before card ``end``."""
        cdef size_t i
        cdef list tricks = []
        cdef list cards = list(self.start.trick)
        if end > self.numbers.size():
            raise ArgumentError(f"there are {self.numbers.size()} cards, not {end}")
        for i in range(end):
            cards.append(self.numbers[i])
            if not self.problems[i + 1].on_table:
                tricks.append((self.problems[i + 1].leader, tuple(cards)))
                cards = []
        return tuple(tricks)

    def problem(self, size_t i):
        """Return problem ``i``."""
        cdef Problem p
        cdef int k
        if i >= self.problems.size():
            raise ArgumentError(f"there are {self.problems.size()} problems, not {i + 1}")
        p = self.problems[i]
        return self.start._replace(
            hands=tuple([p.hands[k] for k in range(p.players)]),
            leader=p.leader,
            trick=tuple([p.table[k] for k in range(p.on_table)]),
            called=self.start.called if p.called else -1,
        )


cdef class ValuesAlongPlay:
    """The values of an objective from card ``first`` of a play to card ``last``, as grades.

    ``needs`` has the lowest value of each grade, and ``state`` is the objective's state before the
    first of these cards. Places are counted from ``first``. Each place has a lower and an upper
    bound, which are equal if its value is known.
    """

    cdef Objective objective
    cdef Solver solver
    cdef ReplayedCards play
    cdef unique_ptr[CQuestion] question
    cdef const CObjective* aim
    cdef const Problem* problems
    cdef const Choice* choices
    cdef const int* numbers
    cdef int last
    cdef vector[int] needed
    cdef vector[int] state
    cdef vector[int] low
    cdef vector[int] high

    def __cinit__(self, Objective objective, Solver solver, ReplayedCards play, *, size_t first,
                  size_t last, int state, needs):
        cdef int i
        if objective is None or play is None or not needs:
            raise ArgumentError("values along a play need an objective, a play, and grades")
        if not first <= last <= play.numbers.size():
            raise ArgumentError(f"the play has no cards {first} to {last}")
        self.objective, self.solver, self.play = objective, solver, play
        self.question = objective._question(solver)
        self.aim = objective._get()
        self.problems = play.problems.data() + first
        self.choices = play.choices.data() + first
        self.numbers = play.numbers.data() + first
        self.last = last - first
        objective._check(self.problems[0], state)
        self.needed = needs
        self.state.push_back(state)
        for i in range(self.last):
            state = self.question.get().step(self.problems[i], state, self.numbers[i])
            self.state.push_back(state)
        self.low.assign(self.last + 1, 0)
        self.high.assign(self.last + 1, <int>self.needed.size() - 1)

    @property
    def states(self):
        """The state of the objective at each place."""
        return list(self.state)

    @property
    def values(self):
        """The value at each place, or a lower bound if it is unknown."""
        return list(self.low)

    @property
    def most(self):
        """The upper bound on the value at each place."""
        return list(self.high)

    @property
    def gains(self):
        """Whether each card was played by the side that wants a high value."""
        cdef int i
        return [self._gains(i) for i in range(self.last)]

    def settle(self, cbool by_tricks, int guess):
        """Find the values; return whether this was possible before a limit stopped the search.

        The search works backwards from the last card. ``guess`` is a first guess at the last value.
        If values depend only on a number of tricks (``by_tricks``), all questions share a table.
        """
        cdef int why = <int>Stop.none
        self.solver._enter()
        try:
            with nogil:
                why = self._settle_tricks(guess) if by_tricks else self._settle_thresholds()
        finally:
            self.solver._leave(<Stop>why)
        return why == <int>Stop.none

    def reaches(self, int i, int grade):
        """Return whether the value at a place is at least a grade; None if a limit stopped it."""
        cdef cbool answer = False
        cdef int why = <int>Stop.none
        if not 0 <= i <= self.last:
            raise ArgumentError(f"there are {self.last + 1} places, not {i + 1}")
        self.solver._enter()
        try:
            with nogil:
                why = self._reaches(i, grade, &answer)
        finally:
            self.solver._leave(<Stop>why)
        return answer if why == <int>Stop.none else None

    def bound(self):
        """Narrow open bounds by those known without a search, and by the next place's.

        No card raises the value for its player's side.
        """
        cdef int i, low = 0, high = 0
        for i in range(self.last + 1):
            self.aim.span(tricks_left(self.problems[i]), self.state[i], low, high)
            self.low[i] = max(self.low[i], self._grade(low))
            self.high[i] = min(self.high[i], self._grade(high))
        for i in range(self.last - 1, -1, -1):
            if self._gains(i) or not _is_free(self.choices[i]):
                self.low[i] = max(self.low[i], self.low[i + 1])
            if not (self._gains(i) and _is_free(self.choices[i])):
                self.high[i] = min(self.high[i], self.high[i + 1])

    def compare(self, cbool every):
        """Return the cards that keep the value, and whether this was possible without a limit.

        The cards are a bit set for each place at which a better card was missed or, with ``every``,
        for each place whose value is known. Places that a limit left open are missing.
        """
        cdef int i, card, why = <int>Stop.none
        cdef uint64_t group
        cdef cbool missed, answer = False
        cdef size_t n = 0
        cdef vector[uint64_t] comparisons
        cdef dict best = {}
        for i in range(self.last):
            missed = self.low[i] != self.low[i + 1]
            if not (every or missed) or not (self._known(i) and self._known(i + 1)):
                continue
            best[i] = 0
            for card in range(64):
                if not (self.choices[i].legal & ~self.choices[i].equivalents) >> card & 1:
                    continue
                group = _group(self.choices[i], card)
                if not group >> self.numbers[i] & 1:
                    comparisons.push_back(self._order(i, card))
                elif not missed:
                    best[i] = group
        # The engine's table is most useful if the comparisons go threshold by threshold and
        # backwards.
        sort(comparisons.begin(), comparisons.end())
        self.solver._enter()
        try:
            while n < comparisons.size():
                i, card = self._place(comparisons[n]), comparisons[n] & 63
                with nogil:
                    why = self._reaches_after(i, card, &answer)
                if why != <int>Stop.none:
                    break
                if answer == self._gains(i):
                    best[i] |= _group(self.choices[i], card)
                n += 1
        finally:
            self.solver._leave(<Stop>why)
        for n in range(n, comparisons.size()):
            best.pop(self._place(comparisons[n]), None)
        return best, why == <int>Stop.none

    cdef uint64_t _order(self, int i, int card) noexcept:
        """Return a comparison as a number: by threshold, then backwards, then by card."""
        cdef uint64_t need = self._needed_for(i)
        return need << 32 | <uint64_t>(self.last - i) << 6 | <uint64_t>card

    cdef int _place(self, uint64_t comparison) noexcept:
        return self.last - <int>(comparison >> 6 & 0x3FFFFFF)

    cdef int _needed_for(self, int i) noexcept nogil:
        """Return the grade that shows whether a card keeps the value of place ``i``."""
        return self.low[i] if self._gains(i) else self.low[i] + 1

    cdef int _reaches_after(self, int i, int card, cbool* answer) except -1 nogil:
        cdef int state = self.question.get().step(self.problems[i], self.state[i], card)
        return self._ask(played(self.problems[i], card), state, self._needed_for(i), answer)

    cdef int _reaches(self, int i, int grade, cbool* answer) except -1 nogil:
        """Find whether the value at a place is at least a grade; return what stopped the search."""
        return self._ask(self.problems[i], self.state[i], grade, answer)

    cdef int _ask(self, const Problem& p, int state, int grade, cbool* answer) except -1 nogil:
        if grade <= 0 or grade >= <int>self.needed.size():
            answer[0] = grade <= 0
            return <int>Stop.none
        return <int>self.question.get().reaches(p, state, self.needed[grade], answer[0])

    cdef int _settle_tricks(self, int guess) except -1 nogil:
        """Find the values, starting with the last position; return what stopped the search."""
        cdef int i, grade, low = 0, high = 0, why
        cdef cbool reached = False
        cdef const Problem* end = self.problems + self.last
        self.aim.span(tricks_left(end[0]), self.state[self.last], low, high)
        why = <int>self.question.get().bounds(end[0], self.state[self.last], low, high, guess)
        if why != <int>Stop.none:
            return why
        grade = self._grade(low)
        self.low[self.last] = self.high[self.last] = grade
        for i in range(self.last - 1, -1, -1):
            # The next value is this one's, unless the player could have done better.
            while _is_free(self.choices[i]):
                why = self._reaches(i, grade + self._gains(i), &reached)
                if why != <int>Stop.none:
                    return why
                if reached != self._gains(i):
                    break
                grade += 1 if reached else -1
            self.low[i] = self.high[i] = grade
        return <int>Stop.none

    cdef int _settle_thresholds(self) except -1 nogil:
        """Find the values one threshold at a time: the engine's table is for one threshold."""
        cdef int i, grade, why
        cdef cbool reached, gains
        cdef vector[int] values
        values.assign(self.last + 1, 0)
        for grade in range(1, <int>self.needed.size()):
            reached = False
            for i in range(self.last, -1, -1):
                gains = i == self.last or self._gains(i)
                if (i == self.last or _is_free(self.choices[i])) and gains != reached:
                    reached = False
                    if values[i] == grade - 1:
                        why = self._reaches(i, grade, &reached)
                        if why != <int>Stop.none:
                            return why
                values[i] += reached
                if reached:
                    self.low[i] = max(self.low[i], grade)
                else:
                    self.high[i] = min(self.high[i], grade - 1)
        self.low = values
        self.high = values
        return <int>Stop.none

    cdef int _grade(self, int value) noexcept nogil:
        """Return the grade of a value; values below all grades have the lowest one."""
        cdef int grade = <int>self.needed.size() - 1
        while grade and self.needed[grade] > value:
            grade -= 1
        return grade

    cdef cbool _gains(self, int i) noexcept nogil:
        return self.aim.sides.side >> to_play(self.problems[i]) & 1

    cdef cbool _known(self, int i) noexcept nogil:
        return self.low[i] == self.high[i]
