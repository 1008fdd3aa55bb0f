# Docket, English. One catalogue for the window, the tray, notifications and the terminal.
