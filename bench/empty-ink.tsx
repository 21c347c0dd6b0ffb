import { render, Text } from "ink";

/** The minimum of a full-screen program with Ink: one row of text. For bench/screen.ts. */
render(<Text>ready</Text>, { alternateScreen: true, interactive: true });
setInterval(() => undefined, 1000);
