"""The stories by name; the first is the default."""

from seqthink.cli.stories import code_review, outbox, shop_api
from seqthink.cli.stories.story import DemoStory

STORIES: dict[str, DemoStory] = {story.name: story for story in (shop_api.STORY, outbox.STORY, code_review.STORY)}
