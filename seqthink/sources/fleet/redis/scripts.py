"""The scripts that run in the engine: each touches one key, so that they work on a cluster, too."""

from collections.abc import Sequence
from hashlib import sha1
from typing import Final

from seqthink.sources.fleet.redis.replies import checked
from seqthink.sources.fleet.redis.router import Keyed, Router
from seqthink.sources.fleet.redis.translation import code_of
from seqthink.sources.fleet.redis.wire import Argument, Asking

_LAST: Final = """\
local first, last = 0, 0
local info = redis.pcall('XINFO', 'STREAM', KEYS[1])
if info.err and not string.find(tostring(info.err), 'no such key') then return redis.error_reply(info.err) end
if not info.err then
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then last = tonumber(string.match(info[i + 1], '^%d+')) end
    if info[i] == 'first-entry' and info[i + 1] then first = tonumber(string.match(info[i + 1][1], '^%d+')) end
  end
end
"""
STATE: Final = _LAST + "return {first, last}\n"
"""KEYS[1] the session's stream. Returns the numbers of the first line that is kept and of the last that ever came."""
APPEND: Final = (
    _LAST
    + """\
local from = tonumber(ARGV[1])
if from > last + 1 then return last end
local upto = from + #ARGV - 3
for line = last + 1, upto do
  redis.call('XADD', KEYS[1], string.format('%.0f-0', line), 'l', ARGV[3 + line - from])
end
if upto > last then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return math.max(last, upto)
"""
)
"""KEYS[1] the session's stream; ARGV: first line's number, time to live in ms, the lines. Returns the last line there.

Lines that are there already are skipped, and a gap is refused: the shipper goes on from what is there.
"""


class Script:
    """A script that is sent once to each engine, and is run by its digest."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._digest = sha1(text.encode(), usedforsecurity=False).hexdigest()

    def run(self, router: Router, calls: Sequence[tuple[str, Sequence[Argument]]]) -> list[object]:
        """Return the replies for keys and their arguments; the script is sent first where it is not known.

        Raises:
            SeqthinkError: As `Router.run`.
        """
        commands = [Keyed(key, ("EVALSHA", self._digest, 1, key, *arguments)) for key, arguments in calls]
        replies = router.run(commands, Asking())
        missing = [at for at, reply in enumerate(replies) if code_of(reply) == "NOSCRIPT"]
        if not missing:
            return replies
        for key in dict.fromkeys(commands[at].key for at in missing):
            checked(router.run([Keyed(key, ("SCRIPT", "LOAD", self._text))], Asking())[0])
            if router.share_call([calls[at][0] for at in missing]):
                break
        for at, reply in zip(missing, router.run([commands[at] for at in missing], Asking()), strict=True):
            replies[at] = reply
        return replies
