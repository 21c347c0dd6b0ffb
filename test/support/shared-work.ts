import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scanFile } from "../../src/catalog/scan/scan-file.ts";
import { type FilesAt, filesAtEntry } from "../../src/edits/files-at.ts";
import { type ChangedFile, sessionChanges } from "../../src/edits/session-changes.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { EditingSession } from "./editing-session.ts";
import { GitRepository } from "./git-repository.ts";
import { tempDir } from "./temp-dir.ts";

const BEGUN_MS = Date.UTC(2026, 0, 10);
const HOUR_MS = 3_600_000;

/** Runs a command, prints the names of the files that there are then, and ends as the command has ended. */
const RUN_AND_LIST = 'bash -c "$0" >/dev/null 2>&1 </dev/null; code=$?; git ls-files -zco; exit $code';

/** A real repository in which sessions and a person work by turns; each works an hour after the one before. */
export class SharedWork {
	readonly repository: GitRepository;
	readonly disk: Map<string, string>;
	readonly #dir = tempDir();
	readonly #sessions: EditingSession[] = [];
	#now = BEGUN_MS;

	/** `files`: what the first commit has, by name. */
	constructor(files: Readonly<Record<string, string>>) {
		this.repository = new GitRepository(join(this.#dir, "work"));
		this.disk = new Map(Object.entries(files).map(([name, text]) => [this.file(name), text]));
		this.repository.put(this.disk);
		this.repository.commit(this.#now, "Begin");
	}

	file(name: string): string {
		return this.repository.file(name);
	}

	session(title = "Go"): EditingSession {
		const number = this.#sessions.length + 1;
		this.#now += HOUR_MS;
		const one = new EditingSession(
			`01a1000${number}-0000-7000-8000-00000000000${number}`,
			this.repository.path,
			this.#now,
			this.disk,
		);
		this.#sessions.push(one);
		one.prompt(title);
		return one;
	}

	/** The person changes a file, or removes it, and commits all that there is. */
	commit(name: string, text: string | undefined): string {
		for (const one of this.#sessions) one.putDisk();
		this.#now = Math.max(this.#now, ...this.#sessions.map(({ now }) => now)) + HOUR_MS;
		for (const one of this.#sessions) one.now = this.#now + HOUR_MS / 2;
		if (text === undefined) this.disk.delete(this.file(name));
		else this.disk.set(this.file(name), text);
		for (const one of this.#sessions) one.putDisk();
		if (text !== undefined) writeFileSync(this.file(name), text);
		return this.repository.commit(this.#now, "By hand");
	}

	/** A session runs a command in a real shell. */
	run(one: EditingSession, command: string): string {
		one.putDisk();
		return one.bash(command, (disk) => {
			const date = `${Math.floor(one.now / 1000)} +0000`;
			const person = {
				GIT_AUTHOR_NAME: "J",
				GIT_AUTHOR_EMAIL: "j@x",
				GIT_COMMITTER_NAME: "J",
				GIT_COMMITTER_EMAIL: "j@x",
			};
			const env = {
				...process.env,
				...person,
				GIT_AUTHOR_DATE: date,
				GIT_COMMITTER_DATE: date,
				GIT_CONFIG_GLOBAL: "/dev/null",
			};
			const args = ["-c", RUN_AND_LIST, command];
			const { status, stdout } = spawnSync("bash", args, { cwd: this.repository.path, env, encoding: "utf8" });
			disk.clear();
			for (const name of stdout.split("\0"))
				if (name !== "" && existsSync(this.file(name)))
					disk.set(this.file(name), readFileSync(this.file(name), "utf8"));
			return status !== 0;
		});
	}

	/** Saves all sessions; returns the path of one of them. */
	save(one: EditingSession): string {
		for (const each of this.#sessions) each.save(join(this.#dir, "agent"));
		return one.save(join(this.#dir, "agent"));
	}

	get rows() {
		return this.#sessions.map((one) => scanFile(one.save(join(this.#dir, "agent"))).row);
	}

	/** What is said of the files as of the last entry of a session. */
	async filesAfter(one: EditingSession, entryId = one.leaf ?? ""): Promise<FilesAt> {
		one.putDisk();
		return filesAtEntry(await readSession(this.save(one)), entryId, { home: this.#dir, rows: this.rows });
	}

	/** The same, as "exact TEXT" by name; "exact as committed", "exact gone". */
	async shortFiles(one: EditingSession, entryId = one.leaf ?? ""): Promise<Readonly<Record<string, string>>> {
		const { files } = await this.filesAfter(one, entryId);
		return Object.fromEntries(
			files.map(({ name, answer, text, isAbsent }) => [
				name,
				`${answer} ${text ?? (isAbsent ? "gone" : "as committed")}`,
			]),
		);
	}

	/** What a session changed, by name. */
	async changesOf(one: EditingSession): Promise<Readonly<Record<string, ChangedFile>>> {
		one.putDisk();
		const span = { to: one.leaf ?? "" };
		const { files } = await sessionChanges(await readSession(this.save(one)), span, {
			home: this.#dir,
			rows: this.rows,
		});
		return Object.fromEntries(files.map((file) => [file.path.slice(this.repository.path.length + 1), file]));
	}
}
