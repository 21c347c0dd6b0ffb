import { homedir } from "node:os";
import { isDirectoryAsync } from "../../../app/world/effects/find-program.ts";
import { removePrivateDirectories } from "../../../app/world/effects/temporary-directory.ts";
import { isSession, whyNotASession } from "../../../catalog/model/row.ts";
import { splitPlaced } from "../../../catalog/places/place.ts";
import { directoryHere } from "../../../catalog/places/placed-rows.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { isDamaged } from "../../../store/format/diagnostic.ts";
import { capital, formatCounted, shortenHome } from "../../../ui/text/format.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { placedIn } from "../../find/find-target.ts";
import { type FetchedSession, fetchSession, type PlacedTarget } from "../../find/placed-target.ts";
import { Sessions } from "../../find/sessions.ts";
import { Mistake } from "../../print/output.ts";
import { askAndMake, directoryNamed } from "./carry-out.ts";
import { type Engines, withEngines } from "./engines.ts";

const WRITTEN = "it is being written to there; later lines are not copied";

export async function bring(args: Arguments): Promise<number> {
	const fetched = await fetchSession(await targetOf(args));
	const sessionRoots = await Sessions.of(args).roots();
	try {
		return await withEngines(sessionRoots, (engines) => bringFetched(fetched, args, engines));
	} finally {
		removePrivateDirectories();
	}
}

/** The session that the word names, which must be in another place. */
async function targetOf({ words: [word = ""] }: Arguments): Promise<PlacedTarget> {
	const target = await placedIn(word);
	if (target === undefined) {
		const name = splitPlaced(word)?.place;
		throw new Mistake(
			name === undefined
				? `${word} is no session of another place: name one as NAME:SESSION; for one of this machine: pi-grove fork`
				: `there is no place ${name}: pi-grove places lists those that are known`,
		);
	}
	if (target.entry !== undefined) throw new Mistake(`bring copies the whole tree, not the entry ${target.entry}`);
	return target;
}

async function bringFetched(fetched: FetchedSession, args: Arguments, engines: Engines): Promise<number> {
	const { copy, row: there } = fetched;
	const from = there.path;
	const row = await engines.row(copy);
	if (!isSession(row)) throw new Mistake(`there is no session in ${from}: ${whyNotASession(row) ?? ""}`);
	const cwd = await directoryFor(fetched, args.to);
	const title = sessionTitle(row);
	return askAndMake(
		{
			request: { type: "bring", path: copy, from, title, cwd },
			title,
			facts: `${formatCounted(row.messageCount, "message")}, ${from}`,
			doubts: [
				...(fetched.isWritten ? [`${capital(WRITTEN)}.`] : []),
				...(isDamaged(row.diagnostics) ? ["It is damaged; its unreadable lines are not copied."] : []),
			],
			label: sanitizeLine(`Bring it here, for the project in ${shortenHome(cwd, homedir())}`),
			json: ({ created }) => ({ path: from, id: row.id, cwd, created }),
			more: fetched.isWritten ? `; ${WRITTEN}` : "",
		},
		engines,
		args,
	);
}

/** The directory that the new session belongs to: the one named, else that of the session, if it exists here. */
async function directoryFor({ row: { cwd, path }, home }: FetchedSession, to: string | undefined): Promise<string> {
	if (to !== undefined) return directoryNamed(to);
	const here = directoryHere(cwd, { there: home, here: homedir() });
	if (here !== undefined && (await isDirectoryAsync(here))) return here;
	const what = cwd === "" ? `${path} names no directory` : `its directory ${cwd} is not on this machine`;
	throw new Mistake(`${what}: name the project for it with --to DIR`);
}
