"""The commands of ``vr-evals``, and the functions behind them."""
