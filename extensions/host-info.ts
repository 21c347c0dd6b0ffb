import { existsSync } from "node:fs";
import { type ExtensionContext, VERSION } from "@earendil-works/pi-coding-agent";
import * as piTui from "@earendil-works/pi-tui";
import type { HostInfo, OpenInHost } from "../src/app/world/state/choice.ts";

/** The descriptor on which browser and pi speak: the first one behind the three that every program has. */
const HOST_FD = 3;

/** What the browser is told of pi when it starts. */
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

/** The session that is open in pi, as it is now. */
export function openSession({ cwd, sessionManager }: ExtensionContext): OpenInHost {
	const path = sessionManager.getSessionFile();
	return {
		id: sessionManager.getSessionId(),
		cwd,
		leaf: sessionManager.getLeafId(),
		// pi names the file before there is one.
		...(path !== undefined && existsSync(path) && { path }),
	};
}

/** Since pi 0.99, as the colors of a theme are. */
const { colorToHex } = piTui as unknown as { readonly colorToHex?: (color: PiColor) => string };

/** A color of a theme (pi-tui's `Color`): one of the terminal's 256, or in one of several color spaces. */
interface PiColor {
	readonly kind: string;
	readonly index?: number;
}

/** pi's colors as its themes write them: "#rrggbb", or the number of one of the terminal's 256. */
function plain(colors: Readonly<Record<string, PiColor>>): Record<string, string | number> {
	const entries = Object.entries(colors).flatMap(([token, color]) => {
		const value = color.kind === "indexed" ? color.index : colorToHex?.(color);
		return value === undefined ? [] : [[token, value] as const];
	});
	return Object.fromEntries(entries);
}
