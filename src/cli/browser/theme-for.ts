import type { HostInfo } from "../../app/world/choice.ts";
import { parsePiTheme } from "../../ui/theme/pi-theme.ts";
import type { PiSettings } from "./read-pi-settings.ts";
import { type ReadTheme, readPiTheme } from "./read-pi-theme.ts";

/** The colors that the pi which started us has told, else those that its settings name. */
export function themeFor(told: HostInfo["theme"], settings: readonly PiSettings[]): ReadTheme {
	if (told === undefined) return readPiTheme(settings);
	const { palette } = parsePiTheme(JSON.stringify(told));
	return { choice: { dark: told.appearance === "dark", onDark: palette, onLight: palette }, problems: [] };
}
