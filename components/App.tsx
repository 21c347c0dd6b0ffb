import { FullScreenBox } from "fullscreen-ink";
import type { ReactNode } from "react";
import { useJobControl } from "../hooks/use-job-control.ts";
import { useScreen } from "../hooks/use-screen.ts";
import type { Program } from "../src/app/core/program.ts";
import type { Theme } from "../src/ui/theme/theme.ts";
import { Screen } from "./Screen.tsx";
import { ThemeContext } from "./theme.ts";

interface AppProps {
	readonly program: Program;
	readonly theme: Theme;
}

/** Draws the screen of the program on the terminal. */
export function App({ program, theme }: AppProps): ReactNode {
	const view = useScreen(program);
	useJobControl(program);
	return (
		<ThemeContext value={theme}>
			<FullScreenBox width={view.columns} height={view.rows}>
				<Screen view={view} />
			</FullScreenBox>
		</ThemeContext>
	);
}
