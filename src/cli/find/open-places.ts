import type { SessionRow } from "../../catalog/model/row.ts";
import type { PlaceConnection } from "../../catalog/places/connection.ts";
import type { Place } from "../../catalog/places/place.ts";
import { PlaceError } from "../../catalog/places/place-error.ts";
import { listPlace } from "../../catalog/places/place-sessions.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import type { Mistake } from "../print/output.ts";
import { openPlace } from "./placed-sessions.ts";

/** A place that is connected, with its sessions, by their paths there. */
interface OpenedPlace {
	readonly connection: PlaceConnection;
	readonly rows: ReadonlyMap<string, SessionRow>;
}

/** Places that stay connected, and are listed once, while several sessions of them are wanted. */
export class OpenPlaces {
	readonly #opened = new Map<string, Promise<OpenedPlace>>();

	/** Connects to a place and lists it, the first time. Rejects with a `PlaceError`. */
	open(place: Place): Promise<OpenedPlace> {
		const opened = this.#opened.get(place.name) ?? openAndList(place);
		this.#opened.set(place.name, opened);
		return opened;
	}

	async close(): Promise<void> {
		const all = await Promise.allSettled(this.#opened.values());
		await Promise.all(all.map((one) => (one.status === "fulfilled" ? one.value.connection.close() : undefined)));
	}
}

async function openAndList(place: Place): Promise<OpenedPlace> {
	const connection = await openPlace(place);
	try {
		return { connection, rows: (await listPlace(connection)).rows };
	} catch (error) {
		await connection.close();
		throw error;
	}
}

/** Connects to places for some work, and closes the connections afterwards; why a place cannot be asked is a mistake. */
export async function withOpenPlaces<Result>(work: (places: OpenPlaces) => Promise<Result>): Promise<Result | Mistake> {
	const places = new OpenPlaces();
	try {
		return await orMistake(() => work(places));
	} finally {
		await places.close();
	}
}

/** The result of some work; why a place cannot be asked is a mistake. */
export async function orMistake<Result>(work: () => Promise<Result>): Promise<Result | Mistake> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof PlaceError) return { mistake: sanitizeLine(error.message) };
		throw error;
	}
}
