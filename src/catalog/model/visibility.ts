export interface Visibility {
	/** Archived sessions: left out, only these, or together with the others. */
	readonly archived: "none" | "only" | "also";
	/** Whether the runs of subagents are there by themselves. */
	readonly runs: boolean;
}

interface ShownSession {
	readonly archived?: boolean | undefined;
	/** Whether it counts as a run: by default a session that says, or of which another one says, that it is one. */
	readonly isRun?: boolean;
	readonly run?: object | undefined;
}

/** Whether a list shows a session: for the screen, the shell and the library this is decided here alone. */
export function isListed(session: ShownSession, { archived, runs }: Visibility): boolean {
	const { archived: isArchived = false, run, isRun = run !== undefined } = session;
	return (archived === "also" || isArchived === (archived === "only")) && (runs || !isRun);
}

export function listed<Session extends ShownSession>(all: readonly Session[], visibility: Visibility): Session[] {
	return all.filter((session) => isListed(session, visibility));
}
