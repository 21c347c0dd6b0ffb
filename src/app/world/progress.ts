/** Work on many sessions that is under way. */
export interface Progress {
	/** "Moving sessions to the trash". */
	readonly what: string;
	readonly done: number;
	readonly total: number;
	/** The person has asked for its end; the session that is being worked on is done first. */
	readonly isStopped: boolean;
}
