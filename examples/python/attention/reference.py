"""What is right: attention in 64 bits, and how far off a result in 16 bits may be."""

import torch

#: of a head, sqrt(sum (x - exact)^2 / sum exact^2)
_RELATIVE = {torch.float16: 2e-3, torch.bfloat16: 1.5e-2}
_SCORES_AT_ONCE = 1 << 25


class Reference:
    """Of one q, k and v: exact results, and the error of a plain computation in their type."""

    def __init__(self, q, k, v, causal):
        self.type = q.dtype
        S, d = q.shape[-2:]
        heads = [x.reshape(-1, S, d) for x in (q, k, v)]
        hidden = torch.ones(S, S, dtype=torch.bool, device=q.device).triu(1) if causal else None
        self._exact, self._plain_error = [], []
        step = max(1, _SCORES_AT_ONCE // (S * S))
        for first in range(0, len(heads[0]), step):
            some = [x[first : first + step] for x in heads]
            exact = _plain(*(x.double() for x in some), hidden)
            error = (_plain(*some, hidden).double() - exact).abs().amax(dim=(1, 2))
            self._exact.append(exact)
            self._plain_error.append(error)

    def refuse(self, x):
        """AssertionError where x is not right; every element is looked at."""
        assert torch.isfinite(x).all(), "not all of the result is finite"
        heads = x.reshape(-1, *x.shape[-2:])
        first = 0
        for exact, plain_error in zip(self._exact, self._plain_error):
            off = heads[first : first + len(exact)].double() - exact
            # FlashAttention's rule
            over = off.abs().amax(dim=(1, 2)) - (2 * plain_error + 1e-5)
            relative = (off.square().sum((1, 2)) / exact.square().sum((1, 2))).sqrt()
            worst, at = map(float, relative.max(0))
            assert worst <= _RELATIVE[self.type], (
                f"relative error {worst:.2e} of head {first + at:.0f}, at most "
                f"{_RELATIVE[self.type]:.1e} is rounding"
            )
            worst, at = map(float, over.max(0))
            assert worst <= 0, (
                f"head {first + at:.0f} has an element that is {worst:.2e} further off than twice "
                "the error of a plain computation"
            )
            first += len(exact)


def _plain(q, k, v, hidden):
    """softmax(q k^T / sqrt(d)) v in the type of its arguments, scores in memory."""
    scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
    if hidden is not None:
        scores.masked_fill_(hidden, float("-inf"))
    return torch.softmax(scores, -1) @ v
