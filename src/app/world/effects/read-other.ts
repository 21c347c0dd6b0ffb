import { PlaceError } from "../../../catalog/places/place.ts";
import { StoreError } from "../../../store/files/store-error.ts";
import { readHeld } from "../../../store/held/hold-session.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { Store } from "./capabilities.ts";

/** Reads another session than the open one, by the path of its row, which may be in another place; undefined where it cannot be read. */
export async function readOther(path: string, { places }: Store, signal: AbortSignal): Promise<Session | undefined> {
	try {
		return { ...(await readHeld(await places.fileOf(path, signal), { signal })), path };
	} catch (error) {
		if (!(error instanceof StoreError || error instanceof PlaceError)) throw error;
		return undefined;
	}
}
