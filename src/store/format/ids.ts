import { randomBytes, randomUUID } from "node:crypto";

const SESSION_ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;

/** Throws if the text cannot be a session id, which becomes part of a file name. The rule is pi's. */
export function assertValidSessionId(id: string): void {
	if (SESSION_ID.test(id)) return;
	throw new Error(
		`Not a session id: ${JSON.stringify(id)}. Use letters, digits, "-", "_" and "."; begin and end with a letter or digit.`,
	);
}

/** A new entry id: eight hex digits that are not in use. */
export function newEntryId(isUsed: (id: string) => boolean): string {
	for (let attempt = 0; attempt < 100; attempt += 1) {
		const id = randomBytes(4).toString("hex");
		if (!isUsed(id)) return id;
	}
	// Only a session with billions of entries gets here; a long id is still valid.
	return randomUUID();
}

let lastTime = 0;
let sequence = 0;

/** A new session id: a UUID version 7 (RFC 9562), greater than all that this process made before. */
export function newSessionId(now: number = Date.now()): string {
	const random = randomBytes(10);
	if (now > lastTime) {
		lastTime = now;
		sequence = random.readUInt16BE(0) & 0x7ff;
	} else {
		sequence += 1;
		if (sequence > 0xfff) {
			sequence = 0;
			lastTime += 1;
		}
	}
	const time = lastTime.toString(16).padStart(12, "0");
	const version = (0x7000 | sequence).toString(16);
	const variant = (0x8000 | (random.readUInt16BE(2) & 0x3fff)).toString(16);
	return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${random.subarray(4).toString("hex")}`;
}

/** The file name of a new session: `<timestamp, with "-" for ":" and ".">_<id>.jsonl`. */
export function sessionFileName(timestamp: string, id: string): string {
	return `${timestamp.replace(/[:.]/g, "-")}_${id}.jsonl`;
}
