/** Exit codes, the same as grep's. */
export const EXIT = {
	ok: 0,
	/** A search found nothing. */
	nothing: 1,
	/** What was asked for cannot be understood, or not be done. */
	failed: 2,
} as const;
