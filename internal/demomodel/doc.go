// Package demomodel is a server that speaks the chat/completions protocol of OpenAI, streaming, and
// answers in the language of AutoGLM. It is no intelligence: a few rules read the task and the rows
// of the screen, so that a phone agent can be tried without a model.
//
// It keeps nothing between two requests: what it does follows from the messages alone, from its own
// earlier turns too. It understands, in Chinese and in English, tasks that open an app, turn a switch
// on or off, send a message, pay for a cart, and look for something that is off the screen. It cannot
// see pictures: without rows it hands over to the person.
package demomodel
