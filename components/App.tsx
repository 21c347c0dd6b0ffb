import { FullScreenBox } from "fullscreen-ink";
import type { ReactNode } from "react";
import { useJobControl } from "../hooks/use-job-control.ts";
import { useRedraw } from "../hooks/use-redraw.ts";
import { useScreen } from "../hooks/use-screen.ts";
import { useTerminalInput } from "../hooks/use-terminal-input.ts";
import { useTerminalSize } from "../hooks/use-terminal-size.ts";
import { ThemeContext, type ThemeSource, useThemeOf } from "../hooks/use-theme.ts";
import type { Program } from "../src/app/core/program.ts";
import { Screen } from "./Screen.tsx";

/** The browser, in the terminal of `TerminalContext`. */
export function App({ program, theme }: { readonly program: Program; readonly theme: ThemeSource }): ReactNode {
	const view = useScreen(program);
	useTerminalSize(program);
	useJobControl(program);
	// Last, since it immediately dispatches the keys typed so far, which may need what the others set.
	useTerminalInput(program, useRedraw(program));
	return (
		<ThemeContext value={useThemeOf(theme)}>
			<FullScreenBox width={view.columns} height={view.rows}>
				<Screen view={view} />
			</FullScreenBox>
		</ThemeContext>
	);
}
