"""How the text of a reply is read: `vr_evals.answers` and `vr_evals.confidences` are its front.

What a piece of text states is a set of labels: one is an answer, none is no statement, several are
one that could mean any of them.
"""
