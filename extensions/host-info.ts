import { existsSync } from "node:fs";
import { type ExtensionContext, VERSION } from "@earendil-works/pi-coding-agent";
import * as piTui from "@earendil-works/pi-tui";
import type { HostInfo, OpenInHost } from "../src/app/world/state/choice.ts";

/** The descriptor for the connection between browser and pi: the first after stdin, stdout and stderr. */
const HOST_FD = 3;

/** The facts about pi that the browser gets at its start. */
export function describeHost(ctx: ExtensionContext): HostInfo {
	const { colors, appearance } = ctx.ui.theme;
	return {
		protocol: 1,
		fd: HOST_FD,
		pi: VERSION,
		open: openSession(ctx),
		busy: !ctx.isIdle(),
		// Since pi 0.99.
		...(colors !== undefined && appearance !== undefined && { theme: { colors: plain(colors), appearance } }),
	};
}

/** The session that is open in pi, in its current state. */
export function openSession({ cwd, sessionManager }: ExtensionContext): OpenInHost {
	const path = sessionManager.getSessionFile();
	return {
		id: sessionManager.getSessionId(),
		cwd,
		leaf: sessionManager.getLeafId(),
		// pi has a path before the file exists.
		...(path !== undefined && existsSync(path) && { path }),
	};
}

/** Exists since pi 0.99, like the colors of a theme. */
const { colorToHex } = piTui as unknown as { readonly colorToHex?: (color: PiColor) => string };

/** A color of a theme (pi-tui's `Color`): one of the terminal's 256, or in one of several color spaces. */
interface PiColor {
	readonly kind: string;
	readonly index?: number;
}

/** pi's colors in the form of its themes: "#rrggbb", or the number of one of the terminal's 256. */
function plain(colors: Readonly<Record<string, PiColor>>): Record<string, string | number> {
	const entries = Object.entries(colors).flatMap(([token, color]) => {
		const value = color.kind === "indexed" ? color.index : colorToHex?.(color);
		return value === undefined ? [] : [[token, value] as const];
	});
	return Object.fromEntries(entries);
}
