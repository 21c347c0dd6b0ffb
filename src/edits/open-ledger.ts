import { isSession, type SessionRow } from "../catalog/model/row.ts";
import { runTitle, titleText } from "../conversation/entries/session-title.ts";
import { isOfThisSystem, isWithin } from "../shared/paths.ts";
import { TimeSlice } from "../shared/steps.ts";
import { explain } from "../store/files/store-error.ts";
import { readHeld } from "../store/held/hold-session.ts";
import type { Session } from "../store/read/read-session.ts";
import { sanitizeLine } from "../ui/text/sanitize.ts";
import { type CloneOf, Grounds } from "./grounds.ts";
import { Ledger } from "./ledger.ts";
import { replacedFiles } from "./replaced-files.ts";
import type { Witness } from "./session-events.ts";

export interface LedgerOptions {
	/** The home directory of the person whose session it is. */
	readonly home: string;
	/** Sessions that may have worked in the same directories. */
	readonly rows: readonly SessionRow[];
	/** Sessions that are asked about with it: runs of subagents. */
	readonly together?: readonly Session[] | undefined;
	/** Whether it is of another machine: neither Git nor the disk here know its files, unless there is a clone. */
	readonly isRemote?: boolean | undefined;
	readonly clone?: CloneOf | undefined;
	/** The directories whose sessions are asked, beside that of the session. @default only those of its repository */
	readonly directories?: readonly string[] | undefined;
	readonly slice?: TimeSlice | undefined;
	/** Called before each of the other sessions is read: how many were, and of how many. */
	readonly onProgress?: ((read: number, total: number) => void) | undefined;
}

export interface OpenedLedger {
	readonly ledger: Ledger;
	/** What could not be read: one sentence each. */
	readonly unread: readonly string[];
}

/** Asks all witnesses of the files that a session worked on: it, other sessions of its repository, Git, and the disk. */
export async function openLedger(session: Session, options: LedgerOptions): Promise<OpenedLedger> {
	const { home, rows, together = [], isRemote = false, clone, directories = [], slice = new TimeSlice() } = options;
	const cwd = session.header?.cwd ?? "";
	const isHere = !isRemote && clone === undefined && isOfThisSystem(cwd);
	const grounds = new Grounds(isHere, clone);
	const top = isHere && cwd !== "" ? await grounds.topOf(cwd) : clone?.top;
	const roots = [...new Set([cwd, ...(top === undefined ? [] : [top]), ...directories])].filter((root) => root !== "");
	const witnesses: Witness[] = [session, ...together].map((one) => ({ session: one, home, title: "" }));
	const unread: string[] = [];
	const otherRows = isRemote
		? []
		: rowsNear(rows, roots).filter(({ path }) => !witnesses.some((one) => one.session.path === path));
	for (const [index, row] of otherRows.entries()) {
		options.onProgress?.(index, otherRows.length);
		try {
			const title = sanitizeLine(runTitle(row) ?? titleText(row));
			witnesses.push({ session: await readHeld(row.path), home, title, isRun: row.run !== undefined });
		} catch (error) {
			unread.push(`${row.path} cannot be read: ${explain(error)}`);
		}
	}
	const replaced = isHere ? await replacedFiles(roots) : [];
	return { ledger: await Ledger.open(witnesses, grounds, { readsDisk: isHere, slice, replaced }), unread };
}

/** The sessions in some directories, below and above them, oldest first. */
export function rowsNear(rows: readonly SessionRow[], roots: readonly string[]): readonly SessionRow[] {
	const isNear = (cwd: string): boolean => roots.some((root) => isWithin(cwd, root) || isWithin(root, cwd));
	return rows
		.filter((row) => row.place === undefined && row.cwd !== "" && isSession(row) && isNear(row.cwd))
		.toSorted((one, other) => one.created.getTime() - other.created.getTime());
}
