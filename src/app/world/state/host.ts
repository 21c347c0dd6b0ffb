import type { OpenInHost } from "./choice.ts";

/** The pi that started the browser, as far as it has told. */
export interface Host {
	/** Its version. */
	readonly pi: string;
	readonly pid: number;
	/** The session that is open there. */
	readonly open: OpenInHost;
	/** Whether a turn is running there. */
	readonly busy: boolean;
	/** When it said so last, Unix ms. */
	readonly toldMs: number;
}

/** What of it may be otherwise a moment later. */
export type HostNow = Pick<Host, "open" | "busy" | "toldMs">;
