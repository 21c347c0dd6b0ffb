import type { Anchor } from "../../../conversation/document/anchor.ts";
import type { FindJob } from "../../../conversation/document/find-job.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { EditedText } from "../../../ui/field/edit.ts";

/** What is looked for in the conversation. */
export interface FindState {
	readonly text: EditedText;
	/** Whether it is being typed. */
	readonly typing: boolean;
	/** The row at the top when it was begun. */
	readonly from: Anchor;
	/** The conversation that is looked through. */
	readonly path: readonly SessionEntry[];
	/** What was found; undefined while nothing is typed. */
	readonly job: FindJob | undefined;
	/** The row with the match that was gone to last. */
	readonly at: Anchor | undefined;
	/** The way to the next match, while it is not found yet. */
	readonly wanted: 1 | -1 | undefined;
}

/** The first match in an entry of what a filter or a search has found, while it is not found yet. */
export interface SeekState {
	readonly entryId: string;
	readonly job: FindJob;
}
