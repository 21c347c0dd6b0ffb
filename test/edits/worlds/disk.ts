import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join, posix } from "node:path";

/** A file of a moment. */
export interface DiskFile {
	readonly bytes: Buffer;
	/** Git's name of its content; of a link, of its target. */
	readonly blob: string;
	readonly isLink: boolean;
	readonly isExecutable: boolean;
}

/** All files below a directory by their names with slashes. */
export type Snapshot = ReadonlyMap<string, DiskFile>;

/** Git's name of a content (SHA-1). */
export function blobOf(bytes: Uint8Array): string {
	return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** A file below a directory; the one of `old` if it is the same; undefined if it is not there. */
export function fileOnDisk(root: string, name: string, old?: Snapshot): DiskFile | undefined {
	const path = join(root, name);
	let [bytes, isLink, isExecutable] = [Buffer.alloc(0), false, false];
	try {
		bytes = Buffer.from(readlinkSync(path));
		isLink = true;
	} catch {
		if (!existsSync(path)) return undefined;
		bytes = readFileSync(path);
		isExecutable = (statSync(path).mode & 0o100) !== 0;
	}
	const before = old?.get(name);
	if (before?.isLink === isLink && before.isExecutable === isExecutable && before.bytes.equals(bytes)) return before;
	return { bytes, blob: blobOf(bytes), isLink, isExecutable };
}

/** All files below a directory but those of Git. */
export function scan(root: string, old?: Snapshot): Snapshot {
	const found = new Map<string, DiskFile>();
	const walk = (below: string): void => {
		for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
			if (entry.name === ".git") continue;
			const name = posix.join(below, entry.name);
			if (entry.isDirectory()) walk(name);
			else {
				const file = fileOnDisk(root, name, old);
				if (file !== undefined) found.set(name, file);
			}
		}
	};
	if (existsSync(root)) walk("");
	return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The name that a name stands for: that of the file to which a link leads. */
export function followed(snapshot: Snapshot, name: string): string {
	const file = snapshot.get(name);
	return file?.isLink === true ? posix.join(posix.dirname(name), file.bytes.toString()) : name;
}

/** What a program reads there, through a link; undefined if there is nothing. */
export function blobAt(snapshot: Snapshot, name: string): string | undefined {
	return snapshot.get(followed(snapshot, name))?.blob;
}

/** Whether the project keeps it out of Git. */
export function isIgnored(name: string): boolean {
	return /^(?:out|node_modules)\/|\.log$/.test(name);
}
