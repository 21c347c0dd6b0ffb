/** A JSON object of a session file, not checked yet. */
export interface RawEntry {
	[field: string]: unknown;
}
