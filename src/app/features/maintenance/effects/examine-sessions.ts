import { sentence } from "../../../../changes/engine/reason.ts";
import type { StoreClient } from "../../../../changes/store-thread/store-client.ts";
import { type Examination, unreadable } from "../../../../store/doctor/examine-session.ts";
import type { SessionHead } from "../../../../store/doctor/session-head.ts";

/** What is found in this time, in ms, is shown together. */
const BATCH_MS = 100;

interface Tools {
	/** Only reads. */
	readonly lookingStore: StoreClient;
}

/** Examines the first of these sessions, at least one, and as many as there is time for; what fails is a finding. */
export async function examineSome(paths: readonly string[], { lookingStore }: Tools): Promise<Examination[]> {
	const end = performance.now() + BATCH_MS;
	const found: Examination[] = [];
	for (const path of paths) {
		found.push(
			await lookingStore.run("examineSession", path).catch((error: unknown) => unreadable(path, sentence(error))),
		);
		if (performance.now() >= end) break;
	}
	return found;
}

/** How these sessions begin. Rejects when the thread that reads dies. */
export async function readHeads(paths: readonly string[], { lookingStore }: Tools): Promise<SessionHead[]> {
	const found: SessionHead[] = [];
	for (const path of paths) found.push(await lookingStore.run("readHead", path));
	return found;
}
