"""What an engine's users may do: a line of its ACL file for each role of a tenant.

A shipper is confined to the keys of its own machine, a viewer reads, and one who steers may also send notes.
"""

from typing import Final

from seqthink.sources.fleet.layout import Layout

_EVERYONE: Final = "+ping +hello +auth +asking +cluster|slots"
_SHIP: Final = "+evalsha +script|load +xinfo +xadd +xtrim +xread +xrange +pexpire +set +del +hset"
_VIEW: Final = "+xread +xrange +xrevrange +xinfo +zrevrange +hmget +exists"
_TIDY: Final = "+zrange +zrem +exists"
PASSWORD: Final = "<password>"
"""The placeholder for each user's password."""


def roles(tenant: str, origin: str) -> str:
    """Return the lines for the users of a tenant, and comments that say what they are for.

    Args:
        tenant: Whose keys.
        origin: The machine whose shipper's user is among them; each machine needs one of its own.
    """
    layout = Layout(tenant)
    own, all_keys = f"{layout.of_origin(origin)}:*", f"seqthink:{tenant}:*"
    index, news, notes = f"seqthink:{tenant}:index:*", layout.news, f"seqthink:{tenant}:*:notes"
    nothing = "resetkeys -@all"
    begin = f"on >{PASSWORD} resetchannels resetkeys -@all"
    return "\n".join(
        (
            f"# Users of the tenant {tenant} for Redis 7 or newer, or Valkey. They belong into redis.conf as they",
            "# are, or into an ACL file, which takes no comments, without the lines that begin with #.",
            f"# Put a long random password in place of {PASSWORD}, another one for each user.",
            "# Redis 6.2 knows no %R~ and %W~ and no parentheses: there, write ~ instead and put the content of",
            "# parentheses, without resetkeys and -@all, beside the rest. A shipper may then also change the index and",
            "# the news at will, and who steers may add to any stream.",
            "# Nobody else, if the engine is for seqthink alone. This user keeps its rights, but nobody can log in",
            "# with it: an engine loads its own append-only file as `default`.",
            "user default off resetpass ~* &* +@all",
            f"# The shipper of {origin}: one such user for each machine.",
            f"user ship-{tenant}-{origin} {begin} %RW~{own} {_EVERYONE} {_SHIP} "
            f"({nothing} %W~{index} +zadd) ({nothing} %W~{news} +xadd)",
            "# People who watch.",
            f"user view-{tenant} {begin} %R~{all_keys} {_EVERYONE} {_VIEW}",
            "# People who watch, and send notes to agents of machines that take them.",
            f"user steer-{tenant} {begin} %R~{all_keys} {_EVERYONE} {_VIEW} ({nothing} %W~{notes} +xadd)",
            "# An administrator who runs `seqthink ship --tidy`.",
            f"user tidy-{tenant} {begin} %RW~{index} %R~{all_keys} {_EVERYONE} {_TIDY}",
            "",
        )
    )
