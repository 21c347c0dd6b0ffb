import { hex, type Rgb } from "../../src/ui/theme/rgb.ts";

/** A terminal's own colors. */
export interface TerminalPalette {
	readonly name: string;
	readonly background: Rgb;
	readonly foreground: Rgb;
	/** The 16 colors, by number. */
	readonly colors: readonly Rgb[];
}

const SOLARIZED = colors(
	"#073642 #dc322f #859900 #b58900 #268bd2 #d33682 #2aa198 #eee8d5",
	"#002b36 #cb4b16 #586e75 #657b83 #839496 #6c71c4 #93a1a1 #fdf6e3",
);

/** The palettes that most people have. */
export const TERMINAL_PALETTES: readonly TerminalPalette[] = [
	{
		// XTerm-col.ad of xterm 390, with `xterm -rv`.
		name: "xterm",
		background: hex("#000000"),
		foreground: hex("#e5e5e5"),
		colors: colors(
			"#000000 #cd0000 #00cd00 #cdcd00 #0000ee #cd00cd #00cdcd #e5e5e5",
			"#7f7f7f #ff0000 #00ff00 #ffff00 #5c5cff #ff00ff #00ffff #ffffff",
		),
	},
	{
		// "Campbell" in defaults.json of github.com/microsoft/terminal.
		name: "Windows Terminal Campbell",
		background: hex("#0c0c0c"),
		foreground: hex("#cccccc"),
		colors: colors(
			"#0c0c0c #c50f1f #13a10e #c19c00 #0037da #881798 #3a96dd #cccccc",
			"#767676 #e74856 #16c60c #f9f1a5 #3b78ff #b4009e #61d6d6 #f2f2f2",
		),
	},
	{
		// "GNOME dark" and the "GNOME" palette in src/profile-editor.cc of GNOME Terminal.
		name: "GNOME/VTE dark",
		background: hex("#1e1e1e"),
		foreground: hex("#ffffff"),
		colors: colors(
			"#171421 #c01c28 #26a269 #a2734c #12488b #a347ba #2aa1b3 #d0cfcc",
			"#5e5c64 #f66151 #33da7a #e9ad0c #2a7bde #c061cb #33c7de #ffffff",
		),
	},
	// The values of ethanschoonover.com/solarized, in the order of its terminal themes.
	{ name: "Solarized dark", background: hex("#002b36"), foreground: hex("#839496"), colors: SOLARIZED },
	{ name: "Solarized light", background: hex("#fdf6e3"), foreground: hex("#657b83"), colors: SOLARIZED },
	{
		// "Basic", the first profile of Terminal.app.
		name: "macOS Basic (light)",
		background: hex("#ffffff"),
		foreground: hex("#000000"),
		colors: colors(
			"#000000 #990000 #00a600 #999900 #0000b2 #b200b2 #00a6b2 #bfbfbf",
			"#666666 #e50000 #00d900 #e5e500 #0000ff #e500e5 #00e5e5 #e5e5e5",
		),
	},
];

function colors(...rows: readonly string[]): Rgb[] {
	return rows.flatMap((row) => row.split(" ").map(hex));
}
