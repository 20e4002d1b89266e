#include "plans.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <numeric>
#include <system_error>

#include "plan_steps.hpp"

namespace spadille {

PlanDecision::PlanDecision(const Problem& p, std::vector<Aim> given_aims,
                           WeighedLayouts given_layouts, std::size_t bytes, bool is_plain,
                           First first_bounds)
    : position(p), aims(std::move(given_aims)), layouts(std::move(given_layouts)), memory(bytes),
      plain(is_plain), first(first_bounds), player(to_play(p)) {
    const std::size_t players = static_cast<std::size_t>(p.players);
    for (std::size_t i = 0; i < layouts.hands.size(); ++i)
        if (i % players != static_cast<std::size_t>(player)) unseen |= layouts.hands[i];
}

const char* PlanSearch::fault(const Problem& p, const std::vector<Aim>& aims,
                              const WeighedLayouts& layouts) {
    if (const char* wrong = spadille::fault(p)) return wrong;
    if (!tricks_left(p)) return "the hand is over";
    if (aims.empty() || aims.size() > 255) return "expected 1 to 255 aims";
    for (const Aim& aim : aims)
        if (!aim.objective || !aim.objective->knows(p, aim.state))
            return "a state does not belong to the objective of its aim here";
    const std::size_t players = static_cast<std::size_t>(p.players), count = layouts.count();
    if (!count) return "there are no layouts";
    if (layouts.hands.size() != count * players || layouts.weights.size() != count)
        return "each layout needs a hand for each player, a weight and an aim";
    for (std::size_t i = 0; i < count; ++i) {
        if (layouts.aims[i] >= aims.size()) return "a layout has no aim";
        Problem layout = p;
        u64 held = 0;
        for (std::size_t k = 0; k < players; ++k)
            held |= layout.hands[k] = layouts.hands[i * players + k];
        layout.called &= held;
        if (const char* wrong = spadille::fault(layout)) return wrong;
        if (layout.hands[to_play(p)] != p.hands[to_play(p)])
            return "the player to move has another hand";
        if (tricks_left(layout) != tricks_left(p)) return "the number of tricks left differs";
    }
    return nullptr;
}

namespace {

using Worker = plans::Steps;

// Distributes the cards to threads, in this order.
template <class Work>
Stop each_card(const PlanDecision& decision, const Work& work,
               const std::vector<std::size_t>& order, Worker& first, int threads,
               const Limits& limits, std::atomic<bool>& stopping) {
    std::atomic<std::size_t> next{0};
    std::vector<Stop> stops(order.size(), Stop::none);
    const auto run = [&](Worker& worker) {
        for (std::size_t i = next++; i < order.size(); i = next++) {
            try {
                work(worker, order[i]);
            } catch (const Stopped& stopped) {
                stops[i] = stopped.why;
                if (stopped.why == Stop::interrupt) stopping = true;
            }
        }
    };
    // Only the first thread may check for interruptions; it informs the others.
    Limits unasked = limits;
    unasked.interrupted = nullptr;
    if (limits.seconds > 0) unasked.seconds = std::max(limits.seconds - first.seconds(), 1e-3);
    std::vector<std::future<void>> others;
    try {
        for (std::size_t i = 1; i < std::min(static_cast<std::size_t>(threads), order.size()); ++i)
            others.push_back(std::async(std::launch::async, [&] {
                Worker worker(decision, unasked, &stopping);
                run(worker);
            }));
    } catch (const std::system_error&) {}  // no more threads are available; fewer do the same work
    std::exception_ptr failed;
    try {
        run(first);
    } catch (...) {
        failed = std::current_exception();
        stopping = true;
    }
    for (std::future<void>& other : others) {
        while (other.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready)
            if (limits.interrupted && limits.interrupted(limits.context)) stopping = true;
        try {
            other.get();
        } catch (...) {
            failed = std::current_exception();
            stopping = true;
        }
    }
    if (failed) std::rethrow_exception(failed);
    for (Stop stop : stops)
        if (stop != Stop::none) return stop;
    return Stop::none;
}

}  // namespace

Stop PlanSearch::values(int blind, int threads, const Limits& limits,
                        std::vector<PlanValue>& cards) const {
    cards.clear();
    std::atomic<bool> stopping{false};
    Worker first(decision_, limits, &stopping);
    const auto choices = first.cards();
    for (const auto& [card, equals] : choices) {
        PlanValue value;
        value.card = card;
        value.equals = equals;
        cards.push_back(value);
    }
    std::vector<std::unique_ptr<plans::Tree>> trees(cards.size());
    std::vector<std::size_t> order(cards.size());
    std::iota(order.begin(), order.end(), 0);
    const auto bound = [&](Worker& worker, std::size_t i) {
        trees[i] = worker.bound(blind ? blind - 1 : Worker::kNever, cards[i]);
    };
    const auto prove = [&](Worker& worker, std::size_t i) {
        if (trees[i]) worker.prove(*trees[i], cards[i]);
        trees[i] = nullptr;
    };
    const Stop bounded = each_card(decision_, bound, order, first, threads, limits, stopping);
    if (bounded == Stop::time || bounded == Stop::interrupt) return bounded;
    // The cards most likely to be best come first.
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return cards[a].most > cards[b].most; });
    const Stop proved = each_card(decision_, prove, order, first, threads, limits, stopping);
    return proved == Stop::none ? bounded : proved;
}

Stop PlanSearch::plan(const PlanValue& value, std::size_t most, const Limits& limits,
                      std::vector<PlanStep>& steps, bool& whole) const {
    steps.clear();
    whole = true;
    if (value.layouts.empty()) {
        steps.push_back({-1, {}, value.card, 0});
        return Stop::none;
    }
    Worker worker(decision_, limits, nullptr);
    try {
        whole = worker.plan(value, most, steps);
    } catch (const Stopped& stopped) { return stopped.why; }
    return Stop::none;
}

}  // namespace spadille
