"""The stories by name; the first is the default."""

from seqthink.demo import code_review, outbox, shop_api
from seqthink.demo.story import DemoStory

STORIES: dict[str, DemoStory] = {story.name: story for story in (shop_api.STORY, outbox.STORY, code_review.STORY)}
