import { formatCount, formatSize } from "../../../ui/text/format.ts";
import type { Tone } from "../../../ui/text/line.ts";
import type { GroupId } from "./maintenance-state.ts";
import { MOST_TINY_BYTES } from "./tidy-groups.ts";

interface GroupWords {
	readonly sign: string;
	readonly tone: Tone;
	readonly name: string;
	/** What is in the group, in a few words. */
	readonly rule: string;
}

/** The name, sign and rule of a group. */
export function groupWords(id: GroupId, oldDays: number): GroupWords {
	switch (id) {
		case "damaged":
			return { sign: "✗", tone: "error", name: "Damaged", rule: "cut off, unreadable lines" };
		case "problems":
			return { sign: "⚠", tone: "warning", name: "Problems", rule: "what could not be read" };
		case "gone":
			return { sign: "⌂", tone: "warning", name: "Directory gone", rule: "the directory no longer exists" };
		case "duplicate":
			return { sign: "=", tone: "muted", name: "Duplicate", rule: "another session has every entry" };
		case "empty":
			return {
				sign: "∅",
				tone: "muted",
				name: "Empty or tiny",
				rule: `no answer, under ${formatSize(MOST_TINY_BYTES)}`,
			};
		case "old":
			return {
				sign: "⧖",
				tone: "muted",
				name: `Older than ${formatCount(oldDays)} days`,
				rule: "no message since",
			};
		case "trash":
			return {
				sign: "♲",
				tone: "muted",
				name: "In the trash",
				rule: "the system empties it, pi-grove never does",
			};
	}
}
