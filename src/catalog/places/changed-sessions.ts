import type { SessionCounts } from "../model/counts.ts";
import type { SessionRow } from "../model/row.ts";
import { placedPath } from "./place.ts";
import type { PlaceLink } from "./place-link.ts";
import { rowOfPlace } from "./placed-rows.ts";

/** What has changed of the sessions of places, as they are called among those of all places. */
interface Changes {
	readonly rows: readonly SessionRow[];
	/** Paths of the sessions that are no longer listed. */
	readonly gone: readonly string[];
	readonly counts: readonly (readonly [path: string, counts: SessionCounts])[];
}

/** The sessions of places that have changed since they were last taken. */
export class ChangedSessions {
	/** Their paths there. */
	readonly #paths = new Map<PlaceLink, Set<string>>();

	add(link: PlaceLink, paths: readonly string[]): void {
		const changed = this.#paths.get(link) ?? new Set<string>();
		this.#paths.set(link, changed);
		for (const path of paths) changed.add(path);
	}

	/** Takes those of these links; the others belong to places that are none any more. */
	take(links: ReadonlySet<PlaceLink>): Changes {
		const rows: SessionRow[] = [];
		const gone: string[] = [];
		const counts: [path: string, counts: SessionCounts][] = [];
		for (const [link, paths] of this.#paths) {
			if (!links.has(link)) continue;
			const { name } = link.place;
			const { differences, sessions } = link;
			for (const path of paths) {
				const row = sessions.rows.get(path);
				const counted = sessions.counts.get(path);
				if (row === undefined) gone.push(placedPath(name, path));
				else rows.push(rowOfPlace(row, name, differences));
				if (counted !== undefined) counts.push([placedPath(name, path), counted]);
			}
		}
		this.#paths.clear();
		return { rows, gone, counts };
	}
}
