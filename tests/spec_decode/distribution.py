"""Checks that verified tokens follow the exact distribution of speculative sampling."""

from collections import Counter
from typing import Any

import reference
import torch

VOCAB, STEPS = 5, 2
ENOUGH_DRAWS = 50_000


def count_outcomes(
    package: Any, device: torch.device, target: torch.Tensor, draft: torch.Tensor, seed: int, draws: int
) -> Counter[tuple[int, ...]]:
    """Count (drafts kept, tokens...) over `draws` requests; target [steps + 1, V] and draft [steps, V] are
    logits.

    The drafts are drawn by the package's own sampler. Half of the temperature is applied by it, to the draft
    logits.
    """
    generator = torch.Generator().manual_seed(seed)
    seeds = torch.randint(2**62, (draws,), generator=generator).to(device)
    temperature = torch.full((draws,), 0.5, dtype=torch.float32, device=device)
    slots = torch.arange(draws, dtype=torch.int32, device=device)
    width = STEPS + 1
    draft_logits = torch.empty(draws, STEPS, VOCAB, dtype=torch.float32, device=device)
    draft_sampled = torch.zeros(draws, width, dtype=torch.int32, device=device)
    first_position = 100
    for step in range(STEPS):
        # A draft is drawn at the position of the logit that will judge it.
        draft_sampled[:, step + 1] = package.gumbel.gumbel_sample(
            (0.5 * draft[step]).to(device).expand(draws, VOCAB),
            slots,
            temperature,
            seeds,
            torch.full((draws,), first_position + step, dtype=torch.int64, device=device),
            apply_temperature=True,
            processed_logits=draft_logits[:, step],
            is_draft=True,
        ).to(torch.int32)
    positions = torch.arange(first_position, first_position + width, dtype=torch.int64, device=device)
    sampled, num_sampled = package.probabilistic_rejection_sampler.probabilistic_rejection_sample(
        target.to(device).repeat(draws, 1),
        draft_logits,
        draft_sampled.view(-1),
        torch.arange(0, draws * width + 1, width, dtype=torch.int32, device=device),
        positions.repeat(draws),
        slots,
        slots.repeat_interleave(width),
        torch.arange(width, dtype=torch.int32, device=device).repeat(draws),
        temperature,
        seeds,
        STEPS,
    )
    return Counter(
        (count - 1, *row[:count]) for row, count in zip(sampled.tolist(), num_sampled.tolist(), strict=True)
    )


def check_distribution(package: Any, device: torch.device, seed: int, draws: int) -> str:
    """Pearson's chi-square over all outcomes, and over the first token alone."""
    generator = torch.Generator().manual_seed(seed)
    target = torch.randn(STEPS + 1, VOCAB, generator=generator)
    draft = torch.randn(STEPS, VOCAB, generator=generator)
    # One token that only the target allows, and one that only the draft allows.
    draft[0, 1] = target[1, 2] = float("-inf")
    counts = count_outcomes(package, device, target, draft, seed, draws)

    p, q = target.to(torch.float64).softmax(-1), draft.to(torch.float64).softmax(-1)
    exact = reference.outcome_distribution(p, q)
    assert abs(sum(exact.values()) - 1.0) < 1e-9
    assert set(counts) <= set(exact), f"impossible outcomes: {set(counts) - set(exact)}"
    keys = list(exact)
    statistic, degrees = reference.chi_square(
        [counts[key] for key in keys], [draws * exact[key] for key in keys]
    )
    limit = reference.chi_square_threshold(degrees)
    assert statistic < limit, f"chi-square {statistic:.1f} over {limit:.1f} ({degrees} degrees)"

    first = [sum(counts[key] for key in keys if key[1] == token) for token in range(VOCAB)]
    own, own_degrees = reference.chi_square(first, (draws * p[0]).tolist())
    own_limit = reference.chi_square_threshold(own_degrees)
    assert own < own_limit, f"first token: chi-square {own:.1f} over {own_limit:.1f} ({own_degrees} degrees)"
    remark = (
        f"chi-square {statistic:.1f} < {limit:.1f} ({degrees} degrees, {draws} requests); "
        f"first token {own:.1f} < {own_limit:.1f} ({own_degrees} degrees)"
    )
    if draws < ENOUGH_DRAWS:
        return remark
    # The test can tell: a sampler that replaced rejected drafts by draws from p itself would fail it.
    kept = torch.minimum(p[0], q[0])
    biased = kept + (1.0 - kept.sum()) * p[0]
    wrong, wrong_degrees = reference.chi_square(first, (draws * biased).tolist())
    wrong_limit = reference.chi_square_threshold(wrong_degrees)
    assert wrong > wrong_limit, (
        f"no power: chi-square {wrong:.1f} against a biased sampler, under {wrong_limit:.1f}"
    )
    return f"{remark}; against a biased sampler {wrong:.1f} > {wrong_limit:.1f}"
