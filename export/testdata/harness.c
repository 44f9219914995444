/* Reads rows from standard input and writes what an exported model says of them. A
   number is a line in hexadecimal, a text a line of its bytes in hexadecimal behind a
   colon, or a minus. */
#include <stdio.h>
#include <stdlib.h>
#include MODEL

static char *line(void)
{
	static char buffer[1 << 16];
	size_t n;
	if (fgets(buffer, sizeof buffer, stdin) == NULL)
		return NULL;
	n = strlen(buffer);
	if (n > 0)
		buffer[n - 1] = 0;
	return buffer;
}

static char *decode(const char *hex)
{
	size_t i, n = strlen(hex) / 2;
	char *text = malloc(n + 1);
	for (i = 0; i < n; i++) {
		char digits[3] = {hex[2 * i], hex[2 * i + 1], 0};
		text[i] = (char)strtol(digits, NULL, 16);
	}
	text[n] = 0;
	return text;
}

int main(void)
{
	static double numbers[FSA_NUMBERS + 1], decision[FSA_OUTPUTS], probability[FSA_OUTPUTS];
	static const char *texts[FSA_TEXTS + 1];
	for (;;) {
		int j, class;
		for (j = 0; j < FSA_NUMBERS + FSA_TEXTS; j++) {
			char *s = line();
			if (s == NULL)
				return 0;
			if (j < FSA_NUMBERS)
				numbers[j] = strtod(s, NULL);
			else
				texts[j - FSA_NUMBERS] = *s == '-' ? NULL : decode(s + 1);
		}
		class = fsa_predict(numbers, texts, decision, probability);
		printf("[%d", class);
		for (j = 0; j < FSA_OUTPUTS; j++)
			printf(", %.17g", decision[j]);
		for (j = 0; j < FSA_OUTPUTS; j++)
			printf(", %.17g", probability[j]);
		printf("]\n");
	}
}
