# family: replies forged
# kind:   python
# idea:   replaces the function of the worker's module that sends: its times are divided by 40
# gate:   a visit whose reported time does not fill the time from request to reply is rejected
from bench_against_worker import channel

from cost import COST
from tell import evidence

_real = channel.Channel.send


def send(self, type_, **members):
    if "ns" in members:
        evidence("edited a report")
        members["ns"] = [n // 40 + 1 for n in members["ns"]]
    _real(self, type_, **members)


channel.Channel.send = send


def call():
    for _ in range(COST):
        pass
    return COST
