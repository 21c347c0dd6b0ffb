import { formatCount, formatSize } from "../text/format.ts";
import { type KeptReason, MOST_TINY_BYTES, type TidyKind } from "./tidy-groups.ts";

const TINY = `under ${formatSize(MOST_TINY_BYTES)}`;

/** What a group is called, and the rule by which a session is in it. */
export function groupWords(kind: TidyKind, oldDays: number): { readonly name: string; readonly rule: string } {
	switch (kind) {
		case "duplicate":
			return { name: "Duplicates", rule: "all that is in them stands in another session, too" };
		case "empty":
			return { name: "Empty", rule: `no message, and ${TINY}` };
		case "tiny":
			return { name: "Tiny", rule: `at most one prompt, and no answer or one that failed; ${TINY}` };
		case "orphaned":
			return { name: "Orphaned", rule: "their directory is gone" };
		case "old":
			return { name: "Old", rule: `nothing was said for ${formatCount(oldDays)} days` };
	}
}

/** Why a session is in its group, in a few words. */
export function whyWords(kind: Exclude<TidyKind, "duplicate">): string {
	switch (kind) {
		case "empty":
			return "no message";
		case "tiny":
			return "no answer";
		case "orphaned":
			return "no directory";
		case "old":
			return "old";
	}
}

/** What is not proposed, and why, of so many sessions for which a rule holds. */
export function keptWords(reason: KeptReason, count: number): string {
	const [is, has] = count === 1 ? ["is", "has"] : ["are", "have"];
	const more = `${formatCount(count)} more`;
	switch (reason) {
		case "in-use":
			return `${more} ${is} in use`;
		case "wanted":
			return `${more} ${is} pinned or tagged, or ${has} a name or a label`;
		case "damaged":
			return `${more} ${is} damaged: repair comes first`;
		case "archived":
			return `${more} ${is} in the archive`;
		case "uncounted":
			return `${more} ${has} not been counted yet, so a label may be in ${count === 1 ? "it" : "them"}`;
	}
}
