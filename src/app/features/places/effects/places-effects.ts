import { readGitNotes } from "../../../../catalog/git/git-notes.ts";
import { addPlace, parsePlace, removePlace } from "../../../../catalog/places/places-file.ts";
import type { Message } from "../../../../changes/answer.ts";
import { basename } from "../../../../shared/paths.ts";
import { shortenHome } from "../../../../ui/text/format.ts";
import { checkDirectories } from "../../../world/effects/directories.ts";
import { isDirectoryAsync } from "../../../world/effects/find-program.ts";
import { expectErrors, type Runners } from "../../../world/effects/runners.ts";
import type { Action } from "../../../world/state/action.ts";
import type { PlacesEffect } from "../places-menu.ts";

/** The exit code with which ssh says that it could not connect. */
const SSH_FAILED = 255;

export const PLACES_EFFECTS: Runners<PlacesEffect["type"]> = expectErrors<PlacesEffect["type"]>({
	async "resume-there"({ path, entryId }, { store, disk, terminal }) {
		const { command, args } = store.places.resumeThere(path, entryId);
		const end = await terminal.lend({ command, args, cwd: disk.home });
		if (end === undefined)
			return done({ text: "Another program has the terminal: nothing was resumed", tone: "warning" });
		if ("leaves" in end) {
			terminal.leave({ kind: "quit", exitCode: end.code });
			return undefined;
		}
		const text = "failure" in end ? `ssh cannot be started: ${end.failure}` : `ssh ended with exit code ${end.code}`;
		const hasFailed = "failure" in end || end.code !== 0;
		return {
			type: "back",
			path,
			hasRun: !("failure" in end) && end.code !== SSH_FAILED,
			message: hasFailed ? { text, tone: "warning" } : undefined,
		};
	},
	async "find-home"({ path, own, projects }, { disk }) {
		const name = own === undefined ? "" : basename(own);
		const notes = readGitNotes(disk);
		const same = projects.filter((each) => {
			const remote = basename(notes.get(each)?.remote ?? "");
			return each !== own && name !== "" && (basename(each) === name || remote === name);
		});
		const fates = await checkDirectories([...(own === undefined ? [] : [own]), ...same], disk.readDisk);
		const directories = [...fates].flatMap(([directory, { kind }]) => (kind === "there" ? [directory] : []));
		const isHere = own !== undefined && directories.includes(own);
		return { type: "home-found", path, missing: isHere ? undefined : own, directories };
	},
	async "bring-here"({ path, title, cwd }, { store, disk, journal }) {
		if (!(await isDirectoryAsync(cwd)))
			throw new Error(
				`There is no directory ${shortenHome(cwd, disk.home)} here: choose another one, or make it first`,
			);
		const copy = await store.places.fileOf(path);
		const { message, created } = await journal.make({ type: "bring", path: copy, from: path, title, cwd });
		return { type: "done", message, created };
	},
	async "add-place"({ text }, { store, disk }) {
		const [, name = "", where = ""] = /^\s*(\S+)\s+(.*?)\s*$/.exec(text) ?? [];
		if (where === "") throw new Error("A place needs a name, and then a host or a directory: mini ada@mini.local");
		// A host has neither a slash, nor a dot or a tilde in front.
		const isPath = /^[~./]|[\\/]/.test(where);
		const place = parsePlace({ name, [isPath ? "dir" : "ssh"]: where }, disk.home, disk.cwd);
		if (typeof place === "string") throw new Error(`This is not a place: ${place}`);
		addPlace(fileOf(store.places), place);
		store.places.reload();
		return done({ text: `${place.name} is a place now: tab goes to everywhere`, tone: "text" });
	},
	async "remove-place"({ name }, { store }) {
		removePlace(fileOf(store.places), name);
		store.places.reload();
		return done({ text: `${name} is no longer a place; its sessions stay where they are`, tone: "text" });
	},
});

function done(message: Message): Action {
	return { type: "done", message };
}

function fileOf({ file }: { readonly file: string | undefined }): string {
	if (file === undefined) throw new Error("The demo has no places besides this machine");
	return file;
}
