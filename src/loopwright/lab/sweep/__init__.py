"""Where an algorithm breaks: each of its limits, driven until answers are wrong.

    graphs   graphs that press on one limit each, and what is right on them
    cast     a model in narrower floats
    subject  a program, ours or somebody's own, and how to know what is right
    axes     one axis for each limit: how far the certificate goes, and how far runs do
    draw     the axes as a picture

Beyond what the certificate allows, answers may be wrong; below it, none ever was.
"""
