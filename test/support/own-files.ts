import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Sandbox } from "./sandbox.ts";

/** Files besides sessions that the program reads: ours, pi's and the person's, below the home directory. Those that it makes come to them. */
const READ: Readonly<Record<string, string>> = {
	".config/pi-grove/places.json": '[{ "name": "old", "dir": "/nowhere" }]',
	".config/pi-grove/commands.json": "[]",
	".config/user-dirs.dirs": "",
	".pi/agent/settings.json": '{ "theme": "own" }',
	".pi/agent/themes/own.json": '{ "name": "own" }',
	".pi/agent/keybindings.json": "{}",
	".pi/agent/models.json": "{}",
	".pi/agent/models-store.json": "{}",
	".pi/agent/agents/scout.md": "---\nname: scout\n---\n",
	"cache/pi-grove/project-directories.json": "{}",
	"cache/pi-grove/places/old.jsonl": "{}",
	"state/pi-grove/comments.jsonl": "{}",
	"state/pi-grove/marks.jsonl": "{}",
	"state/pi-grove/queries.jsonl": "{}",
	"state/pi-grove/views.json": "{}",
	"state/pi-grove/git.json": "{}",
	"state/pi-grove/running/here-1.json": "{}",
	"state/pi-grove/open-in-pi/here-2.json": "{}",
	"state/pi-grove/open-in-pi/other.json": "{}",
	"work/api/.env": "",
	"work/api/.pi/settings.json": "{}",
	"work/site/.git": "gitdir: /nowhere",
	"data/Trash/info/other.trashinfo": "",
	"tmp/pi-grove-abcdef/.pi-grove-process": "",
	"tmp/pi-grove-abcdef/text.md": "",
};

/** Writes what may be read and is not there; returns the paths of all files besides sessions. */
export function ownFiles({ home }: Sandbox): readonly string[] {
	for (const [name, text] of Object.entries(READ)) {
		const path = join(home, name);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text, { flag: "a" });
	}
	const made = ["state", "cache", "data"].flatMap((name) =>
		readdirSync(join(home, name), { recursive: true, encoding: "utf8" }).map((file) => join(home, name, file)),
	);
	const files = new Set([...made, ...Object.keys(READ).map((name) => join(home, name))]);
	return [...files].filter((path) => statSync(path).isFile());
}

const GIGABYTE = 1024 ** 3;

/** What may stand in the place of a file, by its name: nothing that can be read as one. */
export const NO_FILES: Readonly<Record<string, (path: string) => void>> = {
	"a directory": (path) => mkdirSync(path),
	"a link to itself": (path) => symlinkSync(path, path),
	"a named pipe": (path) => void spawnSync("mkfifo", [path]),
	"a link to /dev/zero": (path) => symlinkSync("/dev/zero", path),
	"a gigabyte of nothing": (path) => {
		writeFileSync(path, "");
		truncateSync(path, GIGABYTE);
	},
};

/** Puts something else in the place of a file. */
export function replaceFile(path: string, make: (path: string) => void): void {
	rmSync(path, { recursive: true, force: true });
	make(path);
}
