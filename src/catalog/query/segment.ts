import type { Kind } from "./kinds.ts";

/** A piece of searchable text of one entry, as it is written in the session. */
export interface Segment {
	readonly kind: Kind;
	readonly text: string;
	/** The tool that was called, for its arguments and its output. */
	readonly tool?: string | undefined;
}
