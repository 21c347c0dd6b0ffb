/** Exit codes, the same as grep's. */
export const EXIT = {
	ok: 0,
	/** A search found nothing. */
	nothing: 1,
	/** The command line is wrong, or the command failed. */
	failed: 2,
} as const;
