# The likelihood of the calls in many layouts (csrc/call_likelihood.hpp). Included at the end of
# engine.pyx, for the reason given in objectives.pxi.


cdef class CallLikelihood:
    """The likelihood of calls, given the hands of the bidders (csrc/call_likelihood.hpp).

    ``layouts`` deals hands with a bit for each card of the deck. ``strengths`` has `StrengthTable`
    objects, ``numberings`` the number of each card of the deck in each trump. Each bidder is a
    tuple of the fields of ``Bidder`` in csrc/call_likelihood.hpp; ``pile`` has the cards that may
    lie in no hand and may have been discarded. Raises ArgumentError for numbers out of range.
    """

    cdef unique_ptr[CCallLikelihood] ptr
    cdef Unranker layouts
    cdef list strengths

    def __init__(self, Unranker layouts, strengths, numberings, bidders, pile, double spread):
        cdef vector[StrengthPointer] tables
        cdef vector[CallNumbering] numbers
        cdef CallNumbering numbering
        cdef vector[CallBidder] all_bidders
        cdef CallBidder bidder
        cdef CallOffer offer
        cdef CallChoice choice
        cdef CallOption option
        cdef unique_ptr[CCallLikelihood] made
        cdef int place
        self.strengths = list(strengths)  # they live as long as this
        for table in self.strengths:
            tables.push_back((<StrengthTable?>table)._get())
        for row in numberings:
            for place in range(64):
                numbering[place] = row[place] if place < len(row) else -1
            numbers.push_back(numbering)
        for player, position, exchanged, discards, counted, exchange, offers, choices in bidders:
            bidder.player, bidder.position, bidder.exchanged = player, position, exchanged
            bidder.discards = _whole("cards", discards, UINT64_MAX)
            bidder.counted = counted
            bidder.exchange.keepers = _whole("cards", exchange[0], UINT64_MAX)
            bidder.exchange.kept, bidder.exchange.away = exchange[1], exchange[2]
            bidder.offers.clear()
            for strength, number, calls, needs_suit, tiers, named in offers:
                offer.strength, offer.numbering, offer.named = strength, number, named
                offer.calls, offer.needs_suit, offer.tiers = calls, needs_suit, tiers
                bidder.offers.push_back(offer)
            bidder.choices.clear()
            for options, chosen, duty, least in choices:
                choice.options.clear()
                for height, numbers_of in options:
                    option.height, option.offers = height, numbers_of
                    choice.options.push_back(option)
                choice.chosen, choice.least = chosen, least
                choice.duty = _whole("cards", duty, UINT64_MAX)
                bidder.choices.push_back(choice)
            all_bidders.push_back(bidder)
        made = unique_ptr[CCallLikelihood](new CCallLikelihood(
            tables, numbers, all_bidders, layouts.ptr.get().players(),
            _whole("cards", pile, UINT64_MAX), spread))
        _refuse(made.get().fault())
        self.layouts = layouts
        self.ptr.swap(made)

    def draw(self, count, state, first):
        """Draw layouts, keep each with the likelihood of the calls, and return their ranks.

        ``state`` is that of a generator; the number of each draw, from ``first`` on, selects its
        random numbers.
        """
        cdef size_t number = _whole("a number of layouts", count, UINT32_MAX)
        cdef uint64_t seed = _whole("a state", state, UINT64_MAX)
        cdef uint64_t start = _whole("a number", first, UINT64_MAX)
        cdef vector[uint64_t] kept
        cdef size_t i
        cdef object above
        with nogil:
            self.ptr.get().draw(self.layouts.ptr.get()[0], number, seed, start, kept)
        ranks = []
        for i in range(kept.size() // 2):
            above = kept[2 * i + 1]
            ranks.append(above << 64 | kept[2 * i])
        return ranks

    def weigh(self, ranks):
        """Return the likelihood of the calls in each layout, for bidders who exchanged no cards.

        ``ranks`` has two numbers of 64 bits for each layout, the lower one first.
        """
        cdef _Words words = _Words(ranks)
        cdef size_t count = words.count // 2
        self._check(words)
        room = bytearray(sizeof(double) * count)
        cdef double* weights = <double*>PyByteArray_AsString(room)
        with nogil:
            self.ptr.get().weigh(self.layouts.ptr.get()[0], words.first, count, weights)
        return memoryview(bytes(room)).cast("d").tolist()

    cdef _check(self, _Words words):
        cdef Wide rank, behind = self.layouts.ptr.get().count()
        cdef size_t i
        for i in range(words.count // 2):
            rank = wide(words.first[2 * i + 1], words.first[2 * i])
            if not rank < behind:
                raise ArgumentError("a rank must be below the number of layouts")
